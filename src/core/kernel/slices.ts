import { performance } from 'node:perf_hooks'
import { nextTurn } from '../../storage/index.ts'
import type { Caller, Context, SystemTx, Tx } from './context.ts'

/** How long each of several writes should take, in milliseconds, because other writes wait for it. */
const SLICE_MS = 20
/** Milliseconds after which long reads yield to other work. */
const TURN_MS = 10

/** Returns whether the work is already part of a write. It then joins the write, and may await only the database. */
export const isWriting = (caller: Context): caller is SystemTx => 'afterCommit' in caller

/**
 * Splits long work into several writes, so that other writes don't have to wait for all of it. Each write leaves the
 * data consistent. Inside a write, the work becomes part of that write.
 *
 * A write may run again, so `work` returns what is remembered of it, and `done` gets that once, after the write.
 *
 * @param first - number of items in the first write; later ones have as many as fit into a short time
 * @param options.most - the largest number of items in a write, for work whose first write is slower than later ones
 * @example
 * await inSlices(caller, message_ids, 1000, (tx, ids) => markAsRead(tx, ids))
 */
export async function inSlices<T, X extends SystemTx, R = void>(
  caller: { write<V>(work: (tx: X) => Promise<V>): Promise<V> },
  things: readonly T[],
  first: number,
  work: (tx: X, slice: readonly T[]) => Promise<R>,
  { most = Number.POSITIVE_INFINITY, done }: { most?: number; done?: (result: R) => void } = {},
): Promise<void> {
  let size = first
  for (let start = 0; start < things.length; ) {
    const slice = things.slice(start, start + size)
    const { result, took } = await caller.write(async (tx) => {
      const began = performance.now()
      return { result: await work(tx, slice), took: performance.now() - began }
    })
    done?.(result)
    start += slice.length
    size = Math.min(most, nextSize(size, took))
  }
}

/** Returns how many items the next write should have after one that took this many milliseconds. */
export function nextSize(size: number, took: number): number {
  // At most twice as many as before: the next items may be more expensive.
  const factor = Math.min(2, SLICE_MS / Math.max(took, 1))
  return Math.max(1, Math.round(size * factor))
}

/** Runs one write after another until `work` returns that nothing is left. */
export async function whileMore(caller: Caller, work: (tx: Tx) => Promise<boolean>): Promise<void> {
  while (await caller.write(work));
}

/**
 * Returns a function that long reads await at intervals to yield to other work. In a write it does nothing, because
 * only the database may be awaited there.
 */
export function pacer(caller: Context, turnMs = TURN_MS): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (isWriting(caller) || performance.now() - since < turnMs) return
    await nextTurn()
    since = performance.now()
  }
}
