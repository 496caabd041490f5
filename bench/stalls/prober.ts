import type { Caller } from '../../src/core/kernel/context.ts'
import { millisecondsSince, moment } from '../processor-time.ts'

/** Milliseconds. */
export interface Waits {
  /** The longest time that a small request of another user took, from request to answer. */
  longest: number
  /** How long the operation took from start to end. */
  whole: number
}

export const smallWrite = (prober: Caller) => () =>
  prober.write(async ({ db }) => db.selectFrom('stream').select('id').limit(1).execute())

/**
 * Runs an operation while another user makes small requests one after another. Returns the time of the slowest one,
 * which is how long the event loop or the writer was blocked.
 */
export async function longestWait(
  probes: readonly (() => Promise<unknown>)[],
  operation: () => Promise<unknown>,
): Promise<Waits> {
  let done = false
  let longest = 0
  const start = moment()
  const running = operation().finally(() => {
    done = true
  })
  // A failure is reported below; here it only ends the probing.
  running.catch(() => {})
  do {
    for (const probe of probes) {
      const before = moment()
      await probe()
      await new Promise(setImmediate)
      longest = Math.max(longest, millisecondsSince(before))
    }
  } while (!done)
  await running
  return { longest, whole: millisecondsSince(start) }
}
