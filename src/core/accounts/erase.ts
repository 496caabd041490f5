import * as v from 'valibot'
import { observersOf } from '../access/user-visibility.ts'
import { emit } from '../events/log/emit.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { bool } from '../kernel/fields.ts'
import { whileMore } from '../kernel/slices.ts'
import type { User } from '../kernel/user.ts'
import { removeMessages } from '../messages/edit/delete.ts'
import { integer } from '../shapes/values.ts'
import { changeUser } from '../users/people.ts'
import { setAvatar } from './avatar.ts'
import { setFullName } from './update-user.ts'

/** What can be deleted of an account. Its row stays, since other messages refer to it. */
export const erasing = {
  delete_profile: v.nullish(bool),
  delete_public_channel_messages: v.nullish(bool),
  delete_private_channel_messages: v.nullish(bool),
  delete_direct_messages: v.nullish(bool),
}
export type Erasing = v.InferOutput<v.ObjectSchema<typeof erasing, undefined>>

/** A file that the server wrote, and that may still have data of an erased person. */
export const copyShape = v.strictObject({
  kind: v.picklist(['backup', 'export']),
  /** Its path on the server's machine; empty for an export of an earlier version. */
  file: v.string(),
  /** Unix time in seconds. */
  written_at: integer,
})
export type Copy = v.InferOutput<typeof copyShape>

/** Every kind of messages. */
export const everyMessage = {
  delete_public_channel_messages: true,
  delete_private_channel_messages: true,
  delete_direct_messages: true,
} as const satisfies Erasing

export const DELETED_NAME = 'Deleted user'

/** Takes away the name and the picture. */
export async function deleteProfile(tx: Tx, user: User): Promise<void> {
  await setAvatar(tx, user, undefined)
  await setFullName(tx, user, DELETED_NAME, { shared: true })
  await changeUser(tx, user.id, { is_deleted: 1 })
  const person = { user_id: user.id, is_deleted: true } as const
  await emit(tx, { type: 'realm_user', op: 'update', person }, await observersOf(tx, user))
}

/** Messages deleted in one commit, so that other writes do not wait long. */
const BATCH = 200

/** Deletes the messages of a user, of the kinds that are named. */
export async function deleteMessagesOf(caller: Caller, user_id: number, actions: Erasing): Promise<void> {
  const { delete_public_channel_messages, delete_private_channel_messages, delete_direct_messages } = actions
  if (delete_public_channel_messages) await whileMore(caller, (tx) => deleteSome(tx, user_id, { invite_only: 0 }))
  if (delete_private_channel_messages) await whileMore(caller, (tx) => deleteSome(tx, user_id, { invite_only: 1 }))
  if (delete_direct_messages) await whileMore(caller, (tx) => deleteSome(tx, user_id, { invite_only: null }))
}

interface Chosen {
  /** Whether the channels are private; null for direct messages; undefined for all of these places. */
  invite_only?: 0 | 1 | null
  /** Only messages sent at this time or later, in seconds. */
  since?: number
  /** Only messages up to this ID: the user may be writing. */
  up_to?: number
}

/** Deletes some messages of one place, and returns whether there were any. */
export async function deleteSome(
  tx: Tx,
  user_id: number,
  { invite_only, since = 0, up_to = Number.MAX_SAFE_INTEGER }: Chosen,
): Promise<boolean> {
  const { db } = tx
  let newest = db
    .selectFrom('message')
    .leftJoin('stream', 'stream.id', 'message.conversation_id')
    .select(['message.conversation_id', 'message.topic_id'])
    .where('message.sender_id', '=', user_id)
    .where('message.sent_at', '>=', since)
    .where('message.id', '<=', up_to)
    .orderBy('message.id', 'desc')
    .limit(1)
  if (invite_only === null) newest = newest.where('message.topic_id', 'is', null)
  else if (invite_only !== undefined)
    newest = newest.where('message.topic_id', 'is not', null).where('stream.invite_only', '=', invite_only)
  const place = await newest.executeTakeFirst()
  if (!place) return false
  const messages = await db
    .selectFrom('message')
    .selectAll()
    .where('sender_id', '=', user_id)
    .where('conversation_id', '=', place.conversation_id)
    .where('topic_id', place.topic_id === null ? 'is' : '=', place.topic_id)
    .where('sent_at', '>=', since)
    .where('id', '<=', up_to)
    .orderBy('id', 'desc')
    .limit(BATCH)
    .execute()
  await removeMessages(tx, messages.reverse())
  return true
}
