/**
 * Callers that wait for a response to a request that starts after their call. Such a response includes everything that
 * happened before.
 */
export function catchingUp() {
  const waiting: (() => void)[] = []
  return {
    wait: (): Promise<void> => new Promise((resolve) => waiting.push(resolve)),
    /** Call it when a request starts, and the function it returns when the response is applied. */
    asks(): () => void {
      const before = waiting.length
      return () => {
        for (const resolve of waiting.splice(0, before)) resolve()
      }
    },
  }
}
