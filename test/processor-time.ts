/** Returns the milliseconds of the processor for a piece of work in this thread. Wall time would include other processes. */
export function processorTime(work: () => void): number {
  const began = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1000
}
