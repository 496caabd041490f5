import type { Selectable } from 'kysely'
import type { MessageTable } from '../../storage/tables/messages.ts'
import type { Caller } from '../caller.ts'
import { invalidMessage } from '../errors.ts'
import type { Audience } from '../events/audience.ts'
import { visibleTo } from './visible.ts'

export type Message = Selectable<MessageTable>

/** The message, if the caller may see it. Throws "Invalid message(s)" for absent and forbidden alike. */
export async function accessMessage(caller: Caller, message_id: number): Promise<Message> {
  const [message] = await accessMessages(caller, [message_id])
  if (!message) throw invalidMessage()
  return message
}

/** Of these messages those the caller may see, by id. */
export async function accessMessages(caller: Caller, message_ids: readonly number[]): Promise<Message[]> {
  if (message_ids.length === 0) return []
  return caller.db
    .selectFrom('message')
    .selectAll()
    .where('id', 'in', caller.chat.store.dialect.idsIn(message_ids))
    .where((eb) => visibleTo(eb, caller.user))
    .orderBy('id')
    .execute()
}

/** Who hears of a change to a message: those who can see it and have it, of whom the event log keeps no list. */
export async function readersOf({ db }: Pick<Caller, 'db'>, message: Message): Promise<Audience> {
  if (message.topic_id === null) return { users: await participantsOf(db, message.conversation_id) }
  const stream = await db
    .selectFrom('stream')
    .select('history_public_to_subscribers')
    .where('id', '=', message.conversation_id)
    .executeTakeFirstOrThrow()
  // Those who marked it hear of it though they left, as far as they can still see it.
  const marked = await db.selectFrom('message_flag').select('user_id').where('message_id', '=', message.id).execute()
  return {
    stream: message.conversation_id,
    ...(stream.history_public_to_subscribers === 0 && { since_message: message.id }),
    ...(stream.history_public_to_subscribers === 1 && marked.length > 0 && { users: marked.map((row) => row.user_id) }),
  }
}

/** The people of a direct conversation, ascending. */
export async function participantsOf(db: Caller['db'], conversation_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('direct_participant')
    .select('user_id')
    .where('conversation_id', '=', conversation_id)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}
