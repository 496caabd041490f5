import { sql } from 'kysely'
import { isSet } from '../../storage/index.ts'
import { messageRow } from '../access/message-visibility.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import type { LoggedEvent } from '../events/types/table.ts'
import type { Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { MessageFlag } from '../shapes/message.ts'
import { isPresent, receivedBy } from './conditions.ts'
import { bits, KEPT_UNREAD } from './flag-bits.ts'
import { addRead, removeRead } from './read-ranges.ts'

/** The columns of a message that determine where its read state is stored. */
export interface Markable {
  id: number
  sender_id: number
  conversation_id: number
  origin_id: number | null
}

/** Marks these unread messages as read for the writer, and emits the event for their clients. */
export async function markRead(tx: Tx, messages: readonly Markable[]): Promise<void> {
  if (messages.length === 0) return
  await storeRead(tx, messages)
  const ids = messages.map((message) => message.id)
  await emit(tx, flagsEvent('add', 'read', ids, false), only(tx.user.id))
}

/** Marks these unread messages as read for the writer. The caller emits the event. */
export async function storeRead(tx: Tx, messages: readonly Markable[]): Promise<void> {
  await setOwn(tx, messages, 1)
  await addRead(tx, marksOf(tx, messages))
}

/** The read state of a user's own messages is on the message itself. */
async function setOwn(tx: Tx, messages: readonly Markable[], read_by_sender: 0 | 1): Promise<void> {
  const own = messages.filter((message) => message.sender_id === tx.user.id).map((message) => message.id)
  if (own.length === 0) return
  await tx.db.updateTable('message').set({ read_by_sender }).where('id', 'in', dialectOf(tx.chat).idsIn(own)).execute()
}

export const marksOf = (tx: Tx, messages: readonly Markable[]) =>
  messages
    .filter((message) => message.sender_id !== tx.user.id)
    .map((message) => ({ id: message.id, read_in: message.origin_id ?? message.conversation_id }))

/** @NOTE `operation` is for clients before feature level 32 */
export const flagsEvent = <O extends 'add' | 'remove'>(
  op: O,
  flag: MessageFlag,
  messages: readonly number[],
  all: boolean,
) => ({ type: 'update_message_flags' as const, op, operation: op, flag, messages, all })

/** Marks the messages that the writer has as unread. Returns how many. */
export async function markUnread(tx: Tx, messages: readonly Markable[]): Promise<number> {
  const details = await detailsOf(tx, messages)
  const received = messages.filter((message) => details.has(message.id))
  if (received.length === 0) return 0
  await setOwn(tx, received, 0)
  await removeRead(tx, marksOf(tx, received))
  await keepUnread(tx, received)
  const ids = received.map((message) => message.id)
  const message_details = Object.fromEntries(details)
  await emit(tx, { ...flagsEvent('remove', 'read', ids, false), message_details }, only(tx.user.id))
  return received.length
}

/** Makes messages that start as read start as unread for the writer. */
async function keepUnread(tx: Tx, messages: readonly Markable[]): Promise<void> {
  const { idsIn } = dialectOf(tx.chat)
  await tx.db
    .insertInto('message_flag')
    .columns(['user_id', 'message_id', 'flags'])
    .expression((eb) =>
      eb
        .selectFrom('message')
        .select([eb.val(tx.user.id).as('user_id'), 'id', eb.lit(KEPT_UNREAD).as('flags')])
        .where('id', 'in', idsIn(messages.map((message) => message.id)))
        .where('starts_read', '=', isSet),
    )
    .onConflict((oc) =>
      oc.columns(['user_id', 'message_id']).doUpdateSet({ flags: sql`message_flag.flags | ${sql.lit(KEPT_UNREAD)}` }),
    )
    .execute()
}

type Unflagging = Extract<LoggedEvent<'update_message_flags'>, { op: 'remove' }>
type Details = NonNullable<Unflagging['message_details']>[string]

/**
 * Returns what clients need to count unread messages that they may never have loaded, for messages that can be unread.
 */
async function detailsOf(tx: Tx, messages: readonly Markable[]): Promise<Map<number, Details>> {
  if (messages.length === 0) return new Map()
  const rows = await tx.db
    .selectFrom('message')
    .leftJoin('topic', 'topic.id', 'message.topic_id')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .leftJoin('message_flag', (join) =>
      join.onRef('message_flag.message_id', '=', 'message.id').on('message_flag.user_id', '=', tx.user.id),
    )
    .select([
      'message.id',
      'message.conversation_id',
      'message.stream_wildcard',
      'topic.name as topic',
      'conversation.participant_key',
      'message_flag.flags',
    ])
    .where('message.id', 'in', dialectOf(tx.chat).idsIn(messages.map((message) => message.id)))
    .where((eb) => eb.or([eb('message.sender_id', '=', tx.user.id), receivedBy(messageRow, tx.user.id)]))
    .where(isPresent(messageRow, tx.user.id))
    .execute()
  return new Map(
    rows.map((row): [number, Details] => {
      const mentions = (row.flags ?? 0) & (bits.mentioned | bits.topic_wildcard_mentioned)
      const mentioned = mentions !== 0 || row.stream_wildcard === 1
      if (row.participant_key === null) {
        return [row.id, { type: 'stream', mentioned, stream_id: row.conversation_id, topic: row.topic ?? '' }]
      }
      const user_ids = row.participant_key
        .split(',')
        .map(Number)
        .filter((id) => id !== tx.user.id)
      return [row.id, { type: 'private', mentioned, user_ids }]
    }),
  )
}
