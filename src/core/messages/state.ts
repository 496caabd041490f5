import type { StatePart } from '../events/state.ts'
import { bits } from './flag-bits.ts'
import { unreadMessages } from './unread.ts'
import { visibleTo } from './visible.ts'

/** The newest message's id. */
export const messageState: StatePart = async (tx) => {
  const newest = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return { max_message_id: newest?.id ?? -1 }
}

/** Ids of the messages the user starred, as far as they can still see them. */
export const starredState: StatePart = async (tx) => {
  const rows = await tx.db
    .selectFrom('message_flag')
    .innerJoin('message', 'message.id', 'message_flag.message_id')
    .select(['message_flag.message_id', 'message_flag.flags'])
    .where('message_flag.user_id', '=', tx.user.id)
    .where((eb) => visibleTo(eb, tx.user))
    .orderBy('message_flag.message_id')
    .execute()
  return { starred_messages: rows.filter((row) => row.flags & bits.starred).map((row) => row.message_id) }
}

/** What the user has not read. */
export const unreadState: StatePart = async (tx, { capabilities }) => ({
  unread_msgs: await unreadMessages(tx, { empty_topic_name: capabilities.empty_topic_name === true }),
})
