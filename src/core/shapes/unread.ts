import * as v from 'valibot'
import { id, ids, integer } from './values.ts'

/** A user's unread messages, by conversation and topic. */
export const unreadMessagesShape = v.strictObject({
  count: integer,
  pms: v.array(v.strictObject({ other_user_id: id, sender_id: id, unread_message_ids: ids })),
  streams: v.array(v.strictObject({ stream_id: id, topic: v.string(), unread_message_ids: ids })),
  /**
   * Direct conversations with three or more participants. `user_ids_string` has all of their ids, ascending, with
   * commas.
   */
  huddles: v.array(v.strictObject({ user_ids_string: v.string(), unread_message_ids: ids })),
  mentions: ids,
  /** Whether older ones were left out. */
  old_unreads_missing: v.boolean(),
})
export type UnreadMessages = v.InferOutput<typeof unreadMessagesShape>

/** A direct conversation, its newest message and the other participants. */
export const recentConversationShape = v.strictObject({ max_message_id: id, user_ids: ids })
export type RecentConversation = v.InferOutput<typeof recentConversationShape>
