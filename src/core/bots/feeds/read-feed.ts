import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, contextOf, type SystemTx } from '../../kernel/context.ts'
import { digest } from '../../kernel/digest.ts'
import { dialectOf } from '../../kernel/store.ts'
import { postMessage } from '../../messages/send/post-message.ts'
import { prepare } from '../../messages/send/prepare.ts'
import { resolveRecipient } from '../../messages/send/recipient.ts'
import { isRejected } from '../../review/filters/require.ts'
import { botOf, type Feed } from './feed.ts'
import type { Fetched } from './fetch-document.ts'
import { readInThread } from './read-thread.ts'
import { entryText, eventText } from './words.ts'

/** Entries that are announced at a time. Others follow a minute later. */
const MAX_ANNOUNCED = 10
const SOON_SECONDS = 60
/** How far events of a calendar are stored ahead. */
const AHEAD_SECONDS = 14 * 24 * 3600
/** Entries that a feed no longer has, and whose keys are kept. */
const KEPT_ENTRIES = 1000

/** Announces entries that are new, each in the commit that stores its key, so that each is announced once. */
export async function announceEntries(chat: Chat, feed: Feed, document: Fetched, signal: AbortSignal): Promise<void> {
  const { text, url } = document
  const { entries } = await readInThread({ kind: 'feed', text, url }, signal)
  const all = [...new Map(entries.map((entry) => [digest(entry.identity), entry])).entries()]
  const bot = await botOf(chat, feed.bot_id)
  const known = await knownAmong(
    bot,
    feed,
    all.map(([key]) => key),
  )
  const fresh = all.filter(([key]) => !known.has(key))
  // What was there before the feed was added isn't new.
  const announced = feed.checked_at === null ? [] : fresh.slice(0, MAX_ANNOUNCED)
  const stored = feed.checked_at === null ? fresh : announced
  const prepared = new Map<string, Awaited<ReturnType<typeof prepare>>>()
  for (const [key, entry] of announced) prepared.set(key, await prepare(bot, entryText(entry)))
  await bot.write(async (tx) => {
    if (!(await isStill(tx, feed))) return
    for (const [key] of stored) {
      const added = await tx.db
        .insertInto('feed_entry')
        .values({ feed_id: feed.id, entry_key: key, seen_at: seconds(chat.clock), due_at: null, content: null })
        .onConflict((oc) => oc.columns(['feed_id', 'entry_key']).doNothing())
        .returning('entry_key')
        .executeTakeFirst()
      const message = prepared.get(key)
      if (!added || !message || isRejected(message.matches)) continue
      const place = await resolveRecipient(tx, { type: 'stream', to: feed.stream_id, topic: feed.topic })
      await postMessage(tx, place, message, { read_by_sender: false })
    }
    await forgetOld(
      tx,
      feed,
      all.map(([key]) => key),
    )
    const isRest = announced.length < fresh.length && feed.checked_at !== null
    await noteSuccess(
      tx,
      feed,
      isRest ? { ...unknownVersion, next_at: seconds(chat.clock) + SOON_SECONDS } : versionOf(document),
    )
  })
}

/** Replaces the stored reminders with the reminders of the events to come. */
export async function storeEvents(chat: Chat, feed: Feed, document: Fetched, signal: AbortSignal): Promise<void> {
  const now = seconds(chat.clock)
  const before = (feed.minutes_before ?? 0) * 60
  const to = now + before + AHEAD_SECONDS
  const { events } = await readInThread({ kind: 'calendar', text: document.text, from: now, to }, signal)
  const rows = events.map((event) => ({
    feed_id: feed.id,
    entry_key: digest(event.identity),
    seen_at: now,
    due_at: event.starts_at - before,
    content: eventText(event),
  }))
  await contextOf(chat).write(async (tx) => {
    if (!(await isStill(tx, feed))) return
    // Reminders that came due in the meantime are about to be sent.
    await tx.db
      .deleteFrom('feed_entry')
      .where('feed_id', '=', feed.id)
      .where('due_at', '>', seconds(chat.clock))
      .execute()
    for (const row of rows) {
      await tx.db
        .insertInto('feed_entry')
        .values(row)
        .onConflict((oc) => oc.columns(['feed_id', 'entry_key']).doNothing())
        .execute()
    }
    await forgetOld(
      tx,
      feed,
      rows.map(({ entry_key }) => entry_key),
    )
    await noteSuccess(tx, feed, { ...versionOf(document), expanded_to: to })
  })
}

/** A document that hasn't changed. */
export const noteUnchanged = (chat: Chat, feed: Feed): Promise<void> =>
  contextOf(chat).write((tx) => noteSuccess(tx, feed, {}))

type Version = Pick<Feed, 'etag' | 'last_modified'>
const versionOf = ({ etag, last_modified }: Fetched): Version => ({ etag, last_modified })
/** The next request gets the document, even if it hasn't changed. */
const unknownVersion: Version = { etag: null, last_modified: null }

async function noteSuccess(tx: SystemTx, { id, interval_minutes }: Feed, changes: Partial<Feed>): Promise<void> {
  const now = seconds(tx.chat.clock)
  const usual = { checked_at: now, next_at: now + interval_minutes * 60, failures: 0, failure: null }
  await tx.db
    .updateTable('feed')
    .set({ ...usual, ...changes })
    .where('id', '=', id)
    .execute()
}

/** Returns whether a feed wasn't removed while it was read. */
const isStill = async ({ db }: SystemTx, { id }: Feed): Promise<boolean> =>
  (await db.selectFrom('feed').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

async function knownAmong({ chat, db }: Caller, { id }: Feed, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('feed_entry')
    .select('entry_key')
    .where('feed_id', '=', id)
    .where('entry_key', 'in', dialectOf(chat).textsIn(keys))
    .execute()
  return new Set(rows.map(({ entry_key }) => entry_key))
}

/** Forgets the oldest entries that the document no longer has. */
async function forgetOld(tx: SystemTx, { id }: Feed, present: readonly string[]): Promise<void> {
  const { textsIn } = dialectOf(tx.chat)
  const gone = await tx.db
    .selectFrom('feed_entry')
    .select('entry_key')
    .where('feed_id', '=', id)
    .where('due_at', 'is', null)
    .where('entry_key', 'not in', textsIn(present))
    .orderBy('seen_at', 'desc')
    .orderBy('entry_key')
    .offset(KEPT_ENTRIES)
    .limit(1000)
    .execute()
  if (gone.length === 0) return
  const keys = gone.map(({ entry_key }) => entry_key)
  await tx.db.deleteFrom('feed_entry').where('feed_id', '=', id).where('entry_key', 'in', textsIn(keys)).execute()
}
