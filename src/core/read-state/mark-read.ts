import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import type { Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { MessageFlag } from '../shapes/message.ts'
import { addRead } from './read-ranges.ts'

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
  await setOwn(tx, messages, 1)
  await addRead(tx, marksOf(tx, messages))
  const ids = messages.map((message) => message.id)
  await emit(tx, flagsEvent('add', 'read', ids, false), only(tx.user.id))
}

/** The read state of a user's own messages is on the message itself. */
export async function setOwn(tx: Tx, messages: readonly Markable[], read_by_sender: 0 | 1): Promise<void> {
  const own = messages.filter((message) => message.sender_id === tx.user.id).map((message) => message.id)
  if (own.length === 0) return
  await tx.db.updateTable('message').set({ read_by_sender }).where('id', 'in', dialectOf(tx.chat).idsIn(own)).execute()
}

export const marksOf = (tx: Tx, messages: readonly Markable[]) =>
  messages
    .filter((message) => message.sender_id !== tx.user.id)
    .map((message) => ({ id: message.id, read_in: message.origin_id ?? message.conversation_id }))

/** @NOTE `operation` is for clients from before feature level 32. */
export const flagsEvent = <O extends 'add' | 'remove'>(
  op: O,
  flag: MessageFlag,
  messages: readonly number[],
  all: boolean,
) => ({ type: 'update_message_flags' as const, op, operation: op, flag, messages, all })
