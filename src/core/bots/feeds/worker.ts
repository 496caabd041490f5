import { isSet, statement } from '../../../storage/index.ts'
import { leads } from '../../events/log/follow-peers.ts'
import { atTime, seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, organizationIsOpen } from '../../kernel/context.ts'
import { defineService } from '../../kernel/service.ts'
import { storeOf } from '../../kernel/store.ts'

/** Reads feeds and calendars when they are due. */
export interface FeedReader {
  /** Checks what is due. Call it after a feed was added. */
  wake(): void
  /** Resolves when everything due has been handled. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export const feedsOf = defineService<FeedReader>('feeds')

/** Feeds that other nodes add are found in this time. */
const LOOK_EVERY_SECONDS = 60

export function startFeeds(chat: Chat): FeedReader {
  const abort = new AbortController()
  const { signal } = abort
  let cancel = () => {}
  let running: Promise<void> = Promise.resolve()
  let scheduled = false

  async function run(): Promise<void> {
    scheduled = false
    if (signal.aborted || !leads(chat)) return
    cancel()
    try {
      // A reactivation wakes it again.
      if (!(await organizationIsOpen.get(contextOf(chat)))) return
      let next = await nextDue(chat)
      while (next !== undefined && next <= seconds(chat.clock)) {
        // Loaded late because most organizations have no feeds.
        const { handleDue } = await import('./handle-due.ts')
        await handleDue(chat, signal)
        if (signal.aborted) return
        next = await nextDue(chat)
      }
      const look_at = seconds(chat.clock) + LOOK_EVERY_SECONDS
      cancel = atTime(chat.clock, Math.min(next ?? look_at, look_at) * 1000, wake)
    } catch (error) {
      if (signal.aborted) return
      chat.options.logger.error({ err: error }, 'reading feeds failed')
      cancel = chat.clock.after(LOOK_EVERY_SECONDS * 1000, wake)
    }
  }

  function wake(): void {
    if (scheduled || signal.aborted) return
    scheduled = true
    running = running.then(run)
  }

  return {
    wake,
    async settled() {
      do await running
      while (scheduled)
    },
    async stop() {
      abort.abort()
      cancel()
      await running
    },
  }
}

const firstFeed = statement((db, _: object) =>
  db
    .selectFrom('feed')
    .innerJoin('user', 'user.id', 'feed.bot_id')
    .select('feed.next_at')
    .where('user.is_active', '=', isSet)
    .orderBy('feed.next_at')
    .limit(1),
)

/** Returns when the next feed of an active bot, or reminder, is due, in seconds since 1970. */
async function nextDue(chat: Chat): Promise<number | undefined> {
  const { db } = storeOf(chat)
  const [feed] = await firstFeed(db, {})
  if (!feed) return undefined
  const entry = await db
    .selectFrom('feed_entry')
    .innerJoin('feed', 'feed.id', 'feed_entry.feed_id')
    .innerJoin('user', 'user.id', 'feed.bot_id')
    .select('feed_entry.due_at')
    .where('feed_entry.due_at', 'is not', null)
    .where('user.is_active', '=', isSet)
    .orderBy('feed_entry.due_at')
    .limit(1)
    .executeTakeFirst()
  return Math.min(feed.next_at, entry?.due_at ?? feed.next_at)
}
