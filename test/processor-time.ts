/** Milliseconds of the processor that a piece of work takes: on a busy machine the clock goes on while others have their turn. */
export function processorTime(work: () => void): number {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
