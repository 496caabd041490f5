import { performance } from 'node:perf_hooks'

export interface Moment {
  wall: number
  cpu: NodeJS.CpuUsage
}

export const moment = (): Moment => ({ wall: performance.now(), cpu: process.cpuUsage() })

/**
 * Milliseconds since then, or those of the processor's time that this process used if they are fewer: on a busy machine
 * time passes in which it does not run.
 */
export function millisecondsSince({ wall, cpu }: Moment): number {
  const { user, system } = process.cpuUsage(cpu)
  return Math.min(performance.now() - wall, (user + system) / 1000)
}
