import { performance } from 'node:perf_hooks'

export interface Moment {
  wall: number
  cpu: NodeJS.CpuUsage
}

export const moment = (): Moment => ({ wall: performance.now(), cpu: process.cpuUsage() })

/**
 * Milliseconds since a moment: wall time, or the processor time of this process if that is shorter. On a busy machine,
 * wall time includes time in which the process doesn't run.
 */
export function millisecondsSince({ wall, cpu }: Moment): number {
  const { user, system } = process.cpuUsage(cpu)
  return Math.min(performance.now() - wall, (user + system) / 1000)
}
