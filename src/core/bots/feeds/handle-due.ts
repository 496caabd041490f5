import { isSet, StorageError } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { storeOf } from '../../kernel/store.ts'
import { code } from '../incoming/format/text.ts'
import { notifyOwner } from '../owner-notice.ts'
import type { Feed } from './feed.ts'
import { fetchDocument } from './fetch-document.ts'
import { announceEntries, noteUnchanged, storeEvents } from './read-feed.ts'
import { sendReminders } from './reminders.ts'

/** Feeds that are read at the same time. */
const AT_ONCE = 4
const MAX_FAILURE_LENGTH = 300
/** A feed that keeps failing is read at most this much later than usual. */
const MAX_SLOWER = 16

/** Sends reminders that are due, and reads the feeds that are. */
export async function handleDue(chat: Chat, signal: AbortSignal): Promise<void> {
  await sendReminders(chat)
  const due = await storeOf(chat)
    .db.selectFrom('feed')
    .innerJoin('user', 'user.id', 'feed.bot_id')
    .selectAll('feed')
    .where('user.is_active', '=', isSet)
    .where('feed.next_at', '<=', seconds(chat.clock))
    .orderBy('feed.next_at')
    .limit(AT_ONCE)
    .execute()
  await Promise.all(due.map((feed) => readOne(chat, feed, signal)))
}

async function readOne(chat: Chat, feed: Feed, signal: AbortSignal): Promise<void> {
  try {
    const document = await fetchDocument(chat, feed, signal)
    if (document === undefined) await noteUnchanged(chat, feed)
    else if (feed.kind === 'calendar') await storeEvents(chat, feed, document, signal)
    else await announceEntries(chat, feed, document, signal)
  } catch (error) {
    if (signal.aborted || error instanceof StorageError) throw error
    await noteFailure(chat, feed, error)
  }
}

/** Stores why a feed couldn't be read, and notifies the owner of its bot of the first failure in a row. */
async function noteFailure(chat: Chat, { id, bot_id, url, ...feed }: Feed, error: unknown): Promise<void> {
  const failure = String(error instanceof Error ? error.message : error).slice(0, MAX_FAILURE_LENGTH)
  const failures = feed.failures + 1
  const slower = Math.min(2 ** (failures - 1), MAX_SLOWER)
  const next_at = seconds(chat.clock) + feed.interval_minutes * 60 * slower
  await contextOf(chat).write(async (tx) => {
    const stored = await tx.db
      .updateTable('feed')
      .set({ failures, failure, next_at })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!stored || failures > 1) return
    const words = (bot: string) =>
      `${bot} could not read ${code(url)}: ${code(failure)}. The server will try again, and less often while it fails.`
    await notifyOwner(tx, bot_id, 'feed', words)
  })
}
