import { messageRow } from '../access/message-visibility.ts'
import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { MessageFlag } from '../shapes/message.ts'
import { isReadBy, isUnreadBy, receivedBy } from './conditions.ts'
import { flagNames } from './flag-bits.ts'

/** Returns the caller's current flags of a message; none for a deleted one. */
export async function ownFlags({ db, user }: Caller, message_id: number): Promise<MessageFlag[]> {
  const row = await db
    .selectFrom('message')
    .leftJoin('message_flag', (join) =>
      join.onRef('message_flag.message_id', '=', 'message.id').on('message_flag.user_id', '=', user.id),
    )
    .select(['message.sender_id', 'message.topic_id', 'message.stream_wildcard', 'message_flag.flags'])
    .select([isReadBy(messageRow, user.id).as('is_read'), receivedBy(messageRow, user.id).as('received')])
    .where('message.id', '=', message_id)
    .executeTakeFirst()
  return row ? flagsOf(row, user.id) : []
}

/** Returns the ids of the messages among these that the caller has not read. */
export async function unreadIdsAmong({ db, chat, user }: Caller, message_ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('message')
    .select('id')
    .where('id', 'in', dialectOf(chat).idsIn(message_ids))
    .where(isUnreadBy(messageRow, user.id))
    .execute()
  return rows.map((row) => row.id)
}

interface FlagFacts {
  sender_id: number
  topic_id: number | null
  stream_wildcard: 0 | 1
  flags: number | null
  is_read: unknown
  received: unknown
}

/** A message's flags for one user, from the stored rows. */
export const flagsOf = (row: FlagFacts, user_id: number): MessageFlag[] => [
  ...(row.is_read ? (['read'] as const) : []),
  ...(row.received || row.sender_id === user_id ? [] : (['historical'] as const)),
  ...flagNames(row.flags ?? 0, row.stream_wildcard === 1 && row.topic_id !== null && Boolean(row.received)),
]
