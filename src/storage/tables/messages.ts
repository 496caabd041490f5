import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

export interface MessageTable {
  id: Generated<number>
  sender_id: number
  conversation_id: number
  /** null in direct conversations. */
  topic_id: number | null
  content: string
  rendered_content: string
  sent_at: number
  client: string
  /** The sender's own read state. Everyone else's is in read_range. */
  read_by_sender: Flag
  /** Read from the start, except by users whose row of message_flag has the bit `KEPT_UNREAD`. */
  starts_read: Generated<Flag>
  stream_wildcard: Flag
  topic_wildcard: Flag
  has_link: Flag
  has_image: Flag
  has_attachment: Flag
  is_me_message: Flag
  edited_at: number | null
  moved_at: number | null
  /**
   * The original stream of a message that was moved to another one; else null. Delivery and read state refer to this
   * stream, so a move changes no one's read state and writes nothing per reader.
   */
  origin_id: number | null
}

export interface MessageEditTable {
  id: Generated<number>
  message_id: number
  user_id: number | null
  edited_at: number
  prev_content: string | null
  prev_rendered_content: string | null
  prev_topic: string | null
  topic: string | null
  prev_stream_id: number | null
  stream_id: number | null
}

/** Personal and rare flags; bits in core/read-state/flag-bits.ts. No row means none is set. */
export interface MessageFlagTable {
  user_id: number
  message_id: number
  flags: number
}

/** A message that is pinned in its channel. */
export interface PinnedMessageTable {
  message_id: number
  /** The channel of the message. Moves change both. */
  stream_id: number
  user_id: number
  pinned_at: number
}

/**
 * Disjoint, inclusive ranges of message ids that a user has read in a conversation, without the user's own messages.
 */
export interface ReadRangeTable {
  user_id: number
  conversation_id: number
  lo: number
  hi: number
}

export interface ReactionTable {
  id: Generated<number>
  message_id: number
  user_id: number
  emoji_name: string
  emoji_code: string
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji'
}

export interface SubmessageTable {
  id: Generated<number>
  message_id: number
  sender_id: number
  msg_type: string
  content: string
}

/** Detects repeated sends: the same content to the same recipient with one (sender, queue, local id) is sent once. */
export interface SendReceiptTable {
  sender_id: number
  queue_id: string
  local_id: string
  /** SHA-256 of the content, the recipient and the scheduled time. */
  digest: string
  /** Id of the message, or of the scheduled message. */
  message_id: number
  created_at: number
}

export interface ScheduledMessageTable {
  id: Generated<number>
  sender_id: number
  conversation_id: number
  topic: string | null
  content: string
  rendered_content: string
  client: string
  deliver_at: number
  failed: Flag
  failure_message: string | null
  /** The sender's choice; null for the default of their type of account. */
  read_by_sender: Flag | null
}

/** A message that the retention policy deleted. `rows` is JSON with the message and the rows that referred to it. */
export interface ArchivedMessageTable {
  message_id: number
  conversation_id: number
  archived_at: number
  rows: string
}

export interface SavedSnippetTable {
  id: Generated<number>
  user_id: number
  title: string
  content: string
  created_at: number
}

export interface DraftTable {
  id: Generated<number>
  user_id: number
  /** Empty while it has no recipient. */
  type: '' | 'private' | 'stream'
  /** JSON: a stream's id, or the ids of users. */
  recipients: string
  topic: string
  content: string
  edited_at: number
}

/** One row: messages up to this id are in the full-text index, which lags behind. */
export interface SearchProgressTable {
  indexed_up_to: number
}

/** The folded text of a message that is in the full-text index. */
export interface SearchTextTable {
  message_id: number
  text: string
}
