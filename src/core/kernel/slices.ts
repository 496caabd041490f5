import { performance } from 'node:perf_hooks'
import { nextTurn } from '../../storage/index.ts'
import type { Caller, Context, SystemTx, Tx } from './context.ts'

/** How long one of many writes should take, since other writes wait for it. */
const SLICE_MS = 20
/** Long reads yield to other work after this time. */
const TURN_MS = 10

/** Whether the work already is part of a write: then it joins it, and only the database may be awaited. */
export const isWriting = (caller: Context): caller is SystemTx => 'afterCommit' in caller

/**
 * Does long work in several writes, so that no other write waits long. Each is consistent by itself. Inside a
 * write, all become part of that write.
 *
 * @param first number of items in the first write; later ones have as many as fit into a short time
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
    size = nextSize(size, took)
  }
}

/** How many items the next write should have after one that took so many milliseconds. */
export function nextSize(size: number, took: number): number {
  // At most twice as many as before: the next items may be more expensive.
  const factor = Math.min(2, SLICE_MS / Math.max(took, 1))
  return Math.max(1, Math.round(size * factor))
}

/** The same for work of unknown size: one write after another for as long as it returns that more is left. */
export async function whileMore(caller: Caller, work: (tx: Tx) => Promise<boolean>): Promise<void> {
  while (await caller.write(work));
}

/**
 * Long reads await this at intervals to yield to other work on the event loop. In a write it does nothing,
 * because there only the database may be awaited.
 */
export function pacer(caller: Context): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (isWriting(caller) || performance.now() - since < TURN_MS) return
    await nextTurn()
    since = performance.now()
  }
}
