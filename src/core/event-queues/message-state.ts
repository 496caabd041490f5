import type { StatePart } from '../event-log/state-part.ts'
import { scheduledMessagesOf } from '../messages/send/scheduled-view.ts'
import { bits } from '../read-state/flag-bits.ts'
import { newestReceived } from '../read-state/newest-received.ts'
import { recentConversations } from '../read-state/recent-conversations.ts'
import { unreadMessages } from '../read-state/unread.ts'

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
