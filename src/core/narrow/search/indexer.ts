import { leads } from '../../events/log/follow-peers.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Context, contextOf } from '../../kernel/context.ts'
import { defineService } from '../../kernel/service.ts'
import { indexNext, mergeSlice } from './text.ts'

/** How long the index may lag behind when nobody searches. */
const REST_MS = 200
/**
 * Messages of the largest batch. Each batch becomes a part of the index, and a large part takes less time and space for
 * each message. Others wait a few milliseconds for one.
 */
const SLICE = 400
/**
 * The pause after each batch, in which the next one grows. It shrinks to zero at this many messages, because a search
 * would wait for them.
 */
const PAUSE_MS = 40
const LARGE_BACKLOG = 3000
/** While messages arrive, parts are merged when there are this many. Merging more at a time is less work in all. */
const MANY_PARTS = 32
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
  // Merging parts speeds up searches. In the commits that change the index it would make them long.
  let unmerged = 0
  let isMerging = false
  let scheduled = false
  let stopped = false
  let cancel = () => {}

  const step = (context: Context, limit: number): Promise<number> =>
    context.write(async (tx) => {
      const { indexed, left: rest } = await indexNext(tx, limit)
      // Only set after the commit; a later message of the same commit adds itself again.
      tx.afterCommit(() => {
        left = rest
        if (indexed > 0) unmerged++
      })
      return rest
    }, RELAXED)
  async function merge(context: Context): Promise<void> {
    isMerging = await context.write(mergeSlice, RELAXED)
    if (!isMerging) unmerged = 0
  }
  const later = (ms: number) => {
    scheduled = true
    cancel = chat.clock.after(ms, () => void run())
  }
  async function run(): Promise<void> {
    const isIdle = left === 0
    try {
      if (!isIdle && leads(chat)) await step(contextOf(chat), SLICE)
      if (unmerged > 0 && (isMerging || isIdle || unmerged >= MANY_PARTS) && leads(chat)) {
        await merge(contextOf(chat))
      }
    } catch (error) {
      if (!stopped) chat.options.logger.error({ err: error }, 'indexing messages failed')
    }
    scheduled = false
    // Messages that another process should index stay: a search indexes them, and so does this process once it leads.
    if ((left > 0 || unmerged > 0) && !stopped && leads(chat)) later(Math.max(0, PAUSE_MS * (1 - left / LARGE_BACKLOG)))
  }
  return {
    wake() {
      left++
      if (!scheduled && !stopped) later(REST_MS)
    },
    async catchUp(context) {
      for (let rest = left; rest > 0; ) {
        rest = await step(context, SLICE)
        // Many long messages are many parts, and too many would be merged inside one commit.
        if (unmerged >= MANY_PARTS) await merge(context)
      }
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}

export const indexerOf = defineService<SearchIndexer>('search indexer')
