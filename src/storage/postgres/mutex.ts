/** Runs one piece of work at a time, in the order in which they were asked for. */
export function createMutex(): { run<T>(work: () => Promise<T>): Promise<T> } {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(work) {
      const result = last.then(work, work)
      last = result.catch(() => {})
      return result
    },
  }
}
