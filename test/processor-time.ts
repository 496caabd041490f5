/** Returns the milliseconds of the processor for a piece of work. Wall time would include other processes. */
export function processorTime(work: () => void): number {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
