import type { Chat } from '../chat.ts'
import { type Context, contextOf } from '../context.ts'
import { defineService } from '../service.ts'
import { indexNext } from './text.ts'

/** How long the index may lie behind when nobody searches. */
const REST_MS = 200
/** So many messages at a time and so long a pause after them take a tenth of the processor, under any load. */
const SLICE = 50
const PAUSE_MS = 20
/** Whoever searches does not wait for pauses. */
const CATCH_UP_SLICE = 100
/** What a power failure takes back is indexed again: the row that says how far it came goes with it. */
const RELAXED = { relaxed: true }

/**
 * Puts messages into the full-text index a moment after they were sent: indexing one costs as much as all the rest of
 * a send. Searches never see the delay, since they have the rest indexed before they look.
 */
export interface SearchIndexer {
  /** A message was sent. */
  wake(): void
  /** Resolves when every message sent so far is in the index. */
  catchUp(context: Context): Promise<void>
  stop(): void
}

export function startSearchIndexer(chat: Chat): SearchIndexer {
  // What a former process left undone is found by the first look.
  let behind = true
  let scheduled = false
  let stopped = false
  let cancel = () => {}

  const step = (context: Context, limit: number): Promise<boolean> =>
    context.write(async (tx) => {
      const more = await indexNext(tx, limit)
      // Only once it is on disk; a message of the same commit that came later says otherwise again.
      tx.afterCommit(() => {
        behind = more
      })
      return more
    }, RELAXED)
  const later = (ms: number) => {
    scheduled = true
    cancel = chat.clock.after(ms, () => void run())
  }
  async function run(): Promise<void> {
    try {
      if (behind) await step(contextOf(chat), SLICE)
    } catch (error) {
      if (!stopped) chat.options.logger.error({ err: error }, 'indexing messages failed')
    }
    scheduled = false
    if (behind && !stopped) later(PAUSE_MS)
  }
  return {
    wake() {
      behind = true
      if (!scheduled && !stopped) later(REST_MS)
    },
    async catchUp(context) {
      for (let more = behind; more; ) more = await step(context, CATCH_UP_SLICE)
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}

export const indexerOf = defineService<SearchIndexer>('search indexer')
