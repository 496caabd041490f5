/** Those who wait for an answer of the server that was asked for after they came: it has all that was done before. */
export function catchingUp() {
  const waiting: (() => void)[] = []
  return {
    wait: (): Promise<void> => new Promise((resolve) => waiting.push(resolve)),
    /** To be called as the server is asked; what it returns, once the answer has been taken in. */
    asks(): () => void {
      const before = waiting.length
      return () => {
        for (const resolve of waiting.splice(0, before)) resolve()
      }
    },
  }
}
