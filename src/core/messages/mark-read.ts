import * as v from 'valibot'
import { fold } from '../../storage/columns.ts'
import { action } from '../action.ts'
import type { Tx } from '../caller.ts'
import { badRequest } from '../errors.ts'
import { only } from '../events/audience.ts'
import { emit } from '../events/emit.ts'
import { id, none, text } from '../fields.ts'
import { accessStream } from '../streams/access.ts'
import { findTopic } from './addressee.ts'
import { addRange, isUnreadBy } from './read-ranges.ts'

/** POST /mark_all_as_read */
export const markAllAsRead = action({ summary: 'Mark all messages as read', params: none }, (caller) =>
  caller.write(async (tx) => {
    const conversations = await unreadConversations(tx)
    const newest = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    for (const conversation_id of conversations) {
      // From the beginning: what was never received needs no exception, it counts as read anyway.
      await addRange(tx, tx.user.id, conversation_id, { lo: 1, hi: newest!.id })
    }
    await tx.db
      .updateTable('message')
      .set({ read_by_sender: 1 })
      .where('sender_id', '=', tx.user.id)
      .where('read_by_sender', '=', 0)
      .execute()
    const read = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: [], all: true }
    await emit(tx, read, only(tx.user.id))
    return {}
  }),
)

/** POST /mark_stream_as_read */
export const markStreamAsRead = action(
  { summary: 'Mark messages in a stream as read', params: v.object({ stream_id: id }) },
  (caller, { stream_id }) =>
    caller.write(async (tx) => {
      await accessStream(tx, stream_id)
      await markRead(tx, await unreadIn(tx, { conversation_id: stream_id }))
      return {}
    }),
)

/** POST /mark_topic_as_read */
export const markTopicAsRead = action(
  { summary: 'Mark messages in a topic as read', params: v.object({ stream_id: id, topic_name: text }) },
  (caller, { stream_id, topic_name }) =>
    caller.write(async (tx) => {
      await accessStream(tx, stream_id)
      const topic_id = await findTopic(tx, stream_id, fold(topic_name.trim()))
      if (topic_id === undefined) throw badRequest(`No such topic '${topic_name}'`)
      await markRead(tx, await unreadIn(tx, { conversation_id: stream_id, topic_id }))
      return {}
    }),
)

interface UnreadMessage {
  id: number
  conversation_id: number
  sender_id: number
}

async function unreadIn(tx: Tx, where: { conversation_id: number; topic_id?: number }): Promise<UnreadMessage[]> {
  let query = tx.db
    .selectFrom('message')
    .select(['id', 'conversation_id', 'sender_id'])
    .where('conversation_id', '=', where.conversation_id)
    .where((eb) => isUnreadBy(eb, tx.user.id))
    .orderBy('id')
  if (where.topic_id !== undefined) query = query.where('topic_id', '=', where.topic_id)
  return query.execute()
}

/** Conversations in which the writer has something unread. */
async function unreadConversations(tx: Tx): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('message')
    .select('conversation_id')
    .distinct()
    .where((eb) => isUnreadBy(eb, tx.user.id))
    .execute()
  return rows.map((row) => row.conversation_id)
}

/** Marks these unread messages as read for the writer, and tells their other clients. */
export async function markRead(tx: Tx, messages: readonly UnreadMessage[]): Promise<void> {
  if (messages.length === 0) return
  const { idsIn } = tx.chat.store.dialect
  const own = messages.filter((message) => message.sender_id === tx.user.id).map((message) => message.id)
  if (own.length > 0) {
    await tx.db.updateTable('message').set({ read_by_sender: 1 }).where('id', 'in', idsIn(own)).execute()
  }
  const others = messages.filter((message) => message.sender_id !== tx.user.id)
  for (const message of others) {
    await addRange(tx, tx.user.id, message.conversation_id, { lo: message.id, hi: message.id })
  }
  const ids = messages.map((message) => message.id)
  const read = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: ids, all: false }
  await emit(tx, read, only(tx.user.id))
}
