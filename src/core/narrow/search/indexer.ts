import { leads } from '../../events/log/follow-peers.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Context, contextOf } from '../../kernel/context.ts'
import { defineService } from '../../kernel/service.ts'
import { indexNext, mergeSlice } from './text.ts'

/** How long the index may lag behind when nobody searches. */
const REST_MS = 200
/** Batches of this size with this pause after each use at most a tenth of the processor … */
const SLICE = 50
const PAUSE_MS = 20
/**
 * … while few messages are left. At this many messages the pause is zero and the batches are several times larger, because
 * a search would wait for them.
 */
const LARGE_BACKLOG = 3000
const LARGE_SLICES = 4
/** When a search waits, the indexer doesn't pause. */
const CATCH_UP_SLICE = 100
/** Indexing that a power failure undoes is repeated: the progress row is undone with it. */
const RELAXED = { relaxed: true, indexes: true }

/**
 * Puts messages into the full-text index a moment after they were sent: indexing one costs as much as all the
 * rest of a send. Searches do not notice the delay, since they have the index completed first.
 */
export interface SearchIndexer {
  /** To be called after messages were sent or deleted. */
  wake(): void
  /** Resolves when every message sent so far is in the index. */
  catchUp(context: Context): Promise<void>
  stop(): void
}

export function startSearchIndexer(chat: Chat): SearchIndexer {
  // The first run also indexes what an earlier process left.
  let left = 1
  // Merging what changed speeds up searches. In the commits that change the index it would make them long.
  let isUnmerged = false
  let scheduled = false
  let stopped = false
  let cancel = () => {}

  /** From 0 to 1. */
  const urgency = () => Math.min(1, left / LARGE_BACKLOG)
  const step = (context: Context, limit: number): Promise<number> =>
    context.write(async (tx) => {
      const { indexed, left: rest } = await indexNext(tx, limit)
      // Only set after the commit; a later message of the same commit adds itself again.
      tx.afterCommit(() => {
        left = rest
        if (indexed > 0) isUnmerged = true
      })
      return rest
    }, RELAXED)
  const later = (ms: number) => {
    scheduled = true
    cancel = chat.clock.after(ms, () => void run())
  }
  async function run(): Promise<void> {
    try {
      if (left > 0 && leads(chat)) await step(contextOf(chat), Math.ceil(SLICE * (1 + (LARGE_SLICES - 1) * urgency())))
      if (isUnmerged && leads(chat)) isUnmerged = await contextOf(chat).write(mergeSlice, RELAXED)
    } catch (error) {
      if (!stopped) chat.options.logger.error({ err: error }, 'indexing messages failed')
    }
    scheduled = false
    // Messages that another process should index stay: a search indexes them, and so does this process once it leads.
    if ((left > 0 || isUnmerged) && !stopped && leads(chat)) later(PAUSE_MS * (1 - urgency()))
  }
  return {
    wake() {
      left++
      if (!scheduled && !stopped) later(REST_MS)
    },
    async catchUp(context) {
      for (let rest = left; rest > 0; ) rest = await step(context, CATCH_UP_SLICE)
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}

export const indexerOf = defineService<SearchIndexer>('search indexer')
