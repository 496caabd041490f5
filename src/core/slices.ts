import { performance } from 'node:perf_hooks'
import type { Caller, Context, SystemTx, Tx } from './context.ts'

/** How long one write of many should take: others wait for it. */
const SLICE_MS = 20
/** What reads for long lets others run after this. */
const TURN_MS = 10

/** Whether the work is part of a write already: then it is one with it, and nothing but the database may be awaited. */
export const isWriting = (caller: Context): caller is SystemTx => 'afterCommit' in caller

/**
 * Does long work in several writes, so that no other write waits long: each is whole by itself. Inside a write all are
 * parts of that one.
 *
 * @param first how many things the first write takes; later ones take as many as fit into a short time
 * @example
 * await inSlices(caller, message_ids, 1000, (tx, ids) => markAsRead(tx, ids))
 */
export async function inSlices<T>(
  caller: Caller,
  things: readonly T[],
  first: number,
  work: (tx: Tx, slice: readonly T[]) => Promise<void>,
): Promise<void> {
  let size = first
  for (let start = 0; start < things.length; ) {
    const slice = things.slice(start, start + size)
    const took = await caller.write(async (tx) => {
      const began = performance.now()
      await work(tx, slice)
      return performance.now() - began
    })
    start += slice.length
    // No more than twice as many as before: what comes may be dearer than what was.
    const factor = Math.min(2, SLICE_MS / Math.max(took, 1))
    size = Math.max(1, Math.round(size * factor))
  }
}

/** The same for work that does not know beforehand how much there is: one write after another while it says that more is left. */
export async function whileMore(caller: Caller, work: (tx: Tx) => Promise<boolean>): Promise<void> {
  while (await caller.write(work));
}

/**
 * Work that reads for long awaits this now and then: others have a turn of the event loop. In a write it does nothing,
 * for there only the database may be awaited.
 */
export function pacer(caller: Context): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (isWriting(caller) || performance.now() - since < TURN_MS) return
    await new Promise(setImmediate)
    since = performance.now()
  }
}
