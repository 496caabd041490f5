import * as v from 'valibot'
import { fold, isUnset } from '../../storage/columns.ts'
import { action } from '../action.ts'
import type { Tx } from '../context.ts'
import { badRequest } from '../errors.ts'
import { only } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { id, none, text } from '../fields.ts'
import { accessStream } from '../streams/access.ts'
import { findTopic } from '../messages/send/recipient.ts'
import { addRead, readWhole } from './read-ranges.ts'
import { conversationsWithUnread } from './unread-conversations.ts'
import { unreadOf } from './unread-list.ts'

/** POST /mark_all_as_read */
export const markAllAsRead = action({ summary: 'Mark all messages as read', params: none }, (caller) =>
  caller.write(async (tx) => {
    await readWhole(tx, [tx.user.id], await conversationsWithUnread(tx))
    await tx.db
      .updateTable('message')
      .set({ read_by_sender: 1 })
      .where('sender_id', '=', tx.user.id)
      .where('read_by_sender', '=', isUnset)
      .execute()
    await emit(tx, flagsEvent('add', 'read', [], true), only(tx.user.id))
    return {}
  }),
)

/** POST /mark_stream_as_read */
export const markStreamAsRead = action(
  { summary: 'Mark messages in a stream as read', params: v.object({ stream_id: id }) },
  (caller, { stream_id }) =>
    caller.write(async (tx) => {
      await accessStream(tx, stream_id)
      await markRead(tx, await unreadOf(tx, stream_id))
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
      await markRead(tx, await unreadOf(tx, stream_id, topic_id))
      return {}
    }),
)

/** What of a message says where its read state is. */
export interface Markable {
  id: number
  sender_id: number
  conversation_id: number
  origin_id: number | null
}

/** Marks these unread messages as read for the writer, and tells their other clients. */
export async function markRead(tx: Tx, messages: readonly Markable[]): Promise<void> {
  if (messages.length === 0) return
  await setOwn(tx, messages, 1)
  await addRead(tx, marksOf(tx, messages))
  const ids = messages.map((message) => message.id)
  await emit(tx, flagsEvent('add', 'read', ids, false), only(tx.user.id))
}

/** The read state of what a user wrote is on the message itself. */
export async function setOwn(tx: Tx, messages: readonly Markable[], read_by_sender: 0 | 1): Promise<void> {
  const own = messages.filter((message) => message.sender_id === tx.user.id).map((message) => message.id)
  if (own.length === 0) return
  await tx.db
    .updateTable('message')
    .set({ read_by_sender })
    .where('id', 'in', tx.chat.store.dialect.idsIn(own))
    .execute()
}

export const marksOf = (tx: Tx, messages: readonly Markable[]) =>
  messages
    .filter((message) => message.sender_id !== tx.user.id)
    .map((message) => ({ id: message.id, read_in: message.origin_id ?? message.conversation_id }))

/** @NOTE `operation` is what clients from before feature level 32 read. */
export const flagsEvent = (op: 'add' | 'remove', flag: string, messages: readonly number[], all: boolean) => ({
  type: 'update_message_flags',
  op,
  operation: op,
  flag,
  messages,
  all,
})
