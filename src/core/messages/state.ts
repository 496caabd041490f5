import type { StatePart } from '../events/state.ts'
import { bits } from './flag-bits.ts'
import { newestReceived } from './newest.ts'
import { recentConversations } from './recent-conversations.ts'
import { scheduledMessagesOf } from './scheduled-view.ts'
import { unreadMessages } from './unread.ts'

/** The newest message's id, as far as the user knows of it. */
export const messageState: StatePart = async (tx) => ({ max_message_id: await newestReceived(tx) })

/** Ids of the messages the user starred. */
export const starredState: StatePart = async (tx) => {
  const rows = await tx.db
    .selectFrom('message_flag')
    .select(['message_id', 'flags'])
    .where('user_id', '=', tx.user.id)
    .orderBy('message_id')
    .execute()
  return { starred_messages: rows.filter((row) => row.flags & bits.starred).map((row) => row.message_id) }
}

/** What the user has not read. */
export const unreadState: StatePart = async (tx, { capabilities }) => ({
  unread_msgs: await unreadMessages(tx, { empty_topic_name: capabilities.empty_topic_name === true }),
})

export const conversationState: StatePart = async (tx) => ({
  recent_private_conversations: await recentConversations(tx),
})

export const scheduledState: StatePart = async (tx) => ({ scheduled_messages: await scheduledMessagesOf(tx) })
