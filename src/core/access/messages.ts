import type { Selectable } from 'kysely'
import type { MessageTable } from '../../storage/index.ts'
import type { Audience } from '../events/log/audience.ts'
import type { Caller } from '../kernel/context.ts'
import { invalidMessage } from '../kernel/errors.ts'
import { roles } from '../kernel/roles.ts'
import { dialectOf } from '../kernel/store.ts'
import { visibleTo } from './message-visibility.ts'

export type Message = Selectable<MessageTable>

/**
 * Returns the message if the caller may see it. Throws "Invalid message(s)" for missing and hidden messages alike.
 */
export async function accessMessage(caller: Caller, message_id: number): Promise<Message> {
  const [message] = await accessMessages(caller, [message_id])
  if (!message) throw invalidMessage()
  return message
}

/** Returns the messages that the caller may see, by id. */
export async function accessMessages(caller: Caller, message_ids: readonly number[]): Promise<Message[]> {
  if (message_ids.length === 0) return []
  return caller.db
    .selectFrom('message')
    .selectAll()
    .where('id', 'in', dialectOf(caller.chat).idsIn(message_ids))
    .where((eb) => visibleTo(eb, caller.user))
    .orderBy('id')
    .execute()
}

/** Returns the ids of the messages that the caller may see, ascending. */
export async function visibleIds(caller: Caller, message_ids: readonly number[]): Promise<number[]> {
  const rows = await caller.db
    .selectFrom('message')
    .select('id')
    .where('id', 'in', dialectOf(caller.chat).idsIn(message_ids))
    .where((eb) => visibleTo(eb, caller.user))
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Returns the audience of a change to a message: users who can see it and have it. */
export const readersOf = (caller: Pick<Caller, 'db' | 'chat'>, message: Placed): Promise<Audience> =>
  readersOfAll(caller, [message])

/** Like `readersOf`, with the acting user, who needs no subscription to see the message. */
export async function readersAndActor(tx: Pick<Caller, 'db' | 'chat' | 'user'>, message: Placed): Promise<Audience> {
  return withUser(await readersOf(tx, message), tx.user.id)
}

/** Adds a user to an audience. */
export const withUser = (audience: Audience, user_id: number): Audience => ({
  ...audience,
  users: [...new Set([...(audience.users ?? []), user_id])],
})

type Placed = Pick<Message, 'id' | 'conversation_id' | 'topic_id' | 'sender_id'>

/** Returns the audience of a change to several messages of one conversation: users who have any of them. */
export async function readersOfAll(
  { db, chat }: Pick<Caller, 'db' | 'chat'>,
  messages: readonly Placed[],
): Promise<Audience> {
  const { conversation_id, topic_id } = messages[0]!
  if (topic_id === null) return { users: await participantsOf(db, conversation_id) }
  const { idsIn } = dialectOf(chat)
  const ids = messages.map((message) => message.id)
  const stream = await db
    .selectFrom('stream')
    .select(['history_public_to_subscribers', 'invite_only', 'is_web_public'])
    .where('id', '=', conversation_id)
    .executeTakeFirstOrThrow()
  if (stream.history_public_to_subscribers === 0) return { stream: conversation_id, since_message: ids }
  if (stream.invite_only === 1) return { stream: conversation_id }
  // Authors and users with flags have the message without a subscription, while they may read the stream.
  const users = await db
    .selectFrom('user')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('id', 'in', idsIn([...new Set(messages.map((message) => message.sender_id))])),
        eb('id', 'in', eb.selectFrom('message_flag').select('user_id').where('message_id', 'in', idsIn(ids))),
      ]),
    )
    .where('role', '<', stream.is_web_public ? Number.MAX_SAFE_INTEGER : roles.guest)
    .execute()
  return { stream: conversation_id, users: users.map((user) => user.id) }
}

/** Returns the participants of a direct conversation, ascending. */
export async function participantsOf(db: Caller['db'], conversation_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('direct_participant')
    .select('user_id')
    .where('conversation_id', '=', conversation_id)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}
