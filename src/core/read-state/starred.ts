import { visibleTo } from '../access/message-visibility.ts'
import type { Caller } from '../context.ts'
import { dialectOf } from '../store.ts'
import type { User } from '../user.ts'
import { isStarred } from './flag-bits.ts'

/** Ids of the messages that a user starred and can see, ascending. */
export async function starredMessages(
  { chat, db }: Pick<Caller, 'chat' | 'db'>,
  user: Pick<User, 'id' | 'role'>,
): Promise<number[]> {
  const starred = await db
    .selectFrom('message_flag')
    .select('message_id')
    .where('message_flag.user_id', '=', user.id)
    .where(isStarred)
    .execute()
  if (starred.length === 0) return []
  const rows = await db
    .selectFrom('message')
    .select('message.id')
    .where('message.id', 'in', dialectOf(chat).idsIn(starred.map((row) => row.message_id)))
    .where((eb) => visibleTo(eb, user))
    .orderBy('message.id')
    .execute()
  return rows.map((row) => row.id)
}
