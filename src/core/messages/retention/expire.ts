import type { Message } from '../../access/messages.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { groupBy } from '../../kernel/base/lists.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Context, contextOf, onBehalfOf } from '../../kernel/context.ts'
import { nextSize } from '../../kernel/slices.ts'
import { dialectOf, storeOf } from '../../kernel/store.ts'
import { settingsOf } from '../../settings/organization.ts'
import { systemBot } from '../../users/system-bot.ts'
import { removeMessages } from '../edit/delete.ts'
import { archiveMessages, forgetArchived } from './archive.ts'

const DAY = 86_400
/** How long deleted messages can be restored. */
const ARCHIVE_DAYS = 30
/** Messages read in one query. */
const PAGE = 1000
/** Messages deleted in the first write. Later ones have as many as fit into a short time, which doesn't include the commit. */
const FIRST_SLICE = 50
const LARGEST_SLICE = 100

/** Returns the time before which a conversation's messages are too old; undefined if they are kept forever. */
type Cutoff = (message: Pick<Message, 'conversation_id'>) => number | undefined

/** The rule of the organization, and of the streams that have their own. */
async function cutoffs(context: Context): Promise<Cutoff | undefined> {
  const { message_retention_days: usual } = await settingsOf(context)
  const rows = await context.db
    .selectFrom('stream')
    .select(['id', 'message_retention_days as days'])
    .where('message_retention_days', 'is not', null)
    .execute()
  if (usual === -1 && rows.every((row) => row.days === -1)) return undefined
  const own = new Map(rows.map((row) => [row.id, row.days!]))
  const now = seconds(context.chat.clock)
  return ({ conversation_id }) => {
    const days = own.get(conversation_id) ?? usual
    return days === -1 ? undefined : now - days * DAY
  }
}

const isOver = (cutoff: Cutoff, message: Pick<Message, 'conversation_id' | 'sent_at'>): boolean =>
  message.sent_at < (cutoff(message) ?? 0)

/**
 * Deletes messages older than their conversation's limit, oldest first, in short writes, and messages archived
 * more than 30 days ago. Returns how many messages it deleted.
 */
export async function expireMessages(chat: Chat): Promise<number> {
  const context = contextOf(chat)
  const up_to = seconds(chat.clock) - ARCHIVE_DAYS * DAY
  while (await context.write((tx) => forgetArchived(tx, up_to)));
  const cutoff = await cutoffs(context)
  if (!cutoff) return 0
  let count = 0
  let size = FIRST_SLICE
  for (let after = 0; ; ) {
    const page = await storeOf(chat)
      .db.selectFrom('message')
      .select(['id', 'conversation_id', 'sent_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const last = page.at(-1)
    if (!last) return count
    const over = page.filter((message) => isOver(cutoff, message)).map((message) => message.id)
    for (let start = 0; start < over.length; ) {
      const slice = over.slice(start, start + size)
      const { deleted, took } = await deleteSlice(context, slice)
      count += deleted
      start += slice.length
      size = Math.min(LARGEST_SLICE, nextSize(size, took))
    }
    // All later messages are less than a day old, and too young for any limit.
    if (last.sent_at > seconds(chat.clock) - DAY) return count
    after = last.id
    await new Promise(setImmediate)
  }
}

/** Deletes the messages that are still too old where they are now. */
const deleteSlice = (context: Context, ids: readonly number[]): Promise<{ deleted: number; took: number }> =>
  context.write(async (tx) => {
    const began = performance.now()
    const cutoff = await cutoffs(tx)
    if (!cutoff) return { deleted: 0, took: 0 }
    const { idsIn } = dialectOf(tx.chat)
    const rows = await tx.db.selectFrom('message').selectAll().where('id', 'in', idsIn(ids)).orderBy('id').execute()
    const messages = rows.filter((message) => isOver(cutoff, message))
    await archiveMessages(tx, messages)
    const bot = onBehalfOf(tx, await systemBot.get(tx))
    for (const place of groupBy(messages, (message) => `${message.conversation_id} ${message.topic_id}`).values()) {
      await removeMessages(bot, place)
    }
    return { deleted: messages.length, took: performance.now() - began }
  })
