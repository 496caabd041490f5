import { performance } from 'node:perf_hooks'
import type { Caller } from '../../src/core/context.ts'

/** Milliseconds. */
export interface Waits {
  /** The longest that a small write of somebody else took, from asking to being answered. */
  longest: number
  /** How long the operation took from beginning to end. */
  whole: number
}

/**
 * Runs an operation while somebody else does a small write after another, and tells how long the slowest of those took:
 * the event loop was held, or the one writer was. On a busy machine time passes in which this process does not run, so
 * what counts is the processor time it used, where that is less.
 */
export async function longestWait(prober: Caller, operation: () => Promise<unknown>): Promise<Waits> {
  let done = false
  let longest = 0
  const start = now()
  const running = operation().finally(() => {
    done = true
  })
  // A failure is the caller's to see, below; here it only ends the probing.
  running.catch(() => {})
  do {
    const before = now()
    await prober.write(async ({ db }) => db.selectFrom('stream').select('id').limit(1).execute())
    await new Promise(setImmediate)
    longest = Math.max(longest, since(before))
  } while (!done)
  await running
  return { longest, whole: since(start) }
}

interface Moment {
  wall: number
  cpu: NodeJS.CpuUsage
}

const now = (): Moment => ({ wall: performance.now(), cpu: process.cpuUsage() })

/** Milliseconds since then, or those of the processor's if they are fewer. */
function since({ wall, cpu }: Moment): number {
  const { user, system } = process.cpuUsage(cpu)
  return Math.min(performance.now() - wall, (user + system) / 1000)
}
