import { isSet } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, type SystemTx } from '../../kernel/context.ts'
import { isChatError } from '../../kernel/errors.ts'
import { storeOf } from '../../kernel/store.ts'
import { postMessage } from '../../messages/send/post-message.ts'
import { prepare } from '../../messages/send/prepare.ts'
import { resolveRecipient } from '../../messages/send/recipient.ts'
import { code } from '../incoming/format/text.ts'
import { notifyOwner } from '../owner-notice.ts'
import { botOf } from './feed.ts'

/** A reminder that is later than this after the beginning of its event isn't sent. */
const GRACE_SECONDS = 300

/** Sends the reminders that are due. The message and the end of its reminder are one commit. */
export async function sendReminders(chat: Chat): Promise<void> {
  for (;;) {
    const due = await storeOf(chat)
      .db.selectFrom('feed_entry')
      .innerJoin('feed', 'feed.id', 'feed_entry.feed_id')
      .innerJoin('user', 'user.id', 'feed.bot_id')
      .where('user.is_active', '=', isSet)
      .select(['feed.id as feed_id', 'feed.bot_id', 'feed.stream_id', 'feed.topic', 'feed.minutes_before'])
      .select(['feed_entry.entry_key', 'feed_entry.due_at', 'feed_entry.content'])
      .where('feed_entry.due_at', '<=', seconds(chat.clock))
      .orderBy('feed_entry.due_at')
      .limit(1)
      .executeTakeFirst()
    if (!due) return
    const begins_at = (due.due_at ?? 0) + (due.minutes_before ?? 0) * 60
    const isLate = begins_at < seconds(chat.clock) - GRACE_SECONDS
    try {
      if (isLate) await contextOf(chat).write((tx) => end(tx, due))
      else await send(chat, due)
    } catch (error) {
      if (!isChatError(error)) throw error
      await giveUp(chat, due, error.message)
    }
  }
}

interface Due {
  feed_id: number
  bot_id: number
  stream_id: number
  topic: string
  entry_key: string
  content: string | null
}

async function send(chat: Chat, due: Due): Promise<void> {
  const bot = await botOf(chat, due.bot_id)
  const prepared = await prepare(bot, due.content ?? '')
  await bot.write(async (tx) => {
    if (!(await end(tx, due))) return
    const place = await resolveRecipient(tx, { type: 'stream', to: due.stream_id, topic: due.topic })
    await postMessage(tx, place, prepared, { read_by_sender: false })
  })
}

/** The reminder can't be sent, so its bot's owner is notified. */
const giveUp = (chat: Chat, due: Due, reason: string): Promise<void> =>
  contextOf(chat).write(async (tx) => {
    await end(tx, due)
    await notifyOwner(tx, due.bot_id, 'feed', (bot) => `A reminder of ${bot} could not be sent: ${code(reason)}`)
  })

/** Ends a reminder. Returns false if another process has, or the feed was removed. */
async function end({ db }: SystemTx, { feed_id, entry_key }: Due): Promise<boolean> {
  const ended = await db
    .updateTable('feed_entry')
    .set({ due_at: null, content: null })
    .where('feed_id', '=', feed_id)
    .where('entry_key', '=', entry_key)
    .where('due_at', 'is not', null)
    .returning('entry_key')
    .executeTakeFirst()
  return ended !== undefined
}
