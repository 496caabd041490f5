import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** A stream, or the participants of a direct conversation. A stream's id is its conversation's id. */
export interface ConversationTable {
  id: Generated<number>
  kind: 'stream' | 'direct'
  /** Sorted user ids joined by commas; null for streams. */
  participant_key: string | null
}

export interface DirectParticipantTable {
  user_id: number
  conversation_id: number
}

export interface StreamTable {
  id: number
  name: string
  name_key: string
  description: string
  rendered_description: string
  creator_id: number | null
  date_created: number
  invite_only: Flag
  is_web_public: Flag
  history_public_to_subscribers: Flag
  message_retention_days: number | null
  is_archived: Flag
  first_message_id: number | null
  /** True if created or active in the last 180 days; recomputed daily. */
  is_recently_active: Flag
  /** JSON: permission setting name to group id or { direct_members, direct_subgroups }; defaults are absent. */
  settings: string
  folder_id: number | null
  topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'
  /** Active accounts with an active subscription, bots included. */
  subscriber_count: Generated<number>
  /** Seconds between two messages of one person; 0 for no limit. */
  slow_mode_seconds: Generated<number>
}

export interface ChannelFolderTable {
  id: Generated<number>
  name: string
  name_key: string
  description: string
  rendered_description: string
  /** Its id until folders are reordered, then its place from 0. */
  position: number
  date_created: number
  creator_id: number | null
  is_archived: Flag
}

export interface SubscriptionTable {
  user_id: number
  stream_id: number
  is_active: Flag
  color: string
  is_muted: Flag
  pin_to_top: Flag
  desktop_notifications: Flag | null
  audible_notifications: Flag | null
  push_notifications: Flag | null
  email_notifications: Flag | null
  wildcard_mentions_notify: Flag | null
}

/**
 * A period of subscription: from inclusive, to exclusive, null while it lasts. The message ids are for received
 * messages, the event ids for seen events.
 */
export interface SubscriptionPeriodTable {
  id: Generated<number>
  user_id: number
  stream_id: number
  from_message_id: number
  to_message_id: number | null
  from_event_id: number
  to_event_id: number | null
}

export interface TopicTable {
  id: Generated<number>
  stream_id: number
  name: string
  name_key: string
}

export interface DefaultStreamTable {
  stream_id: number
}

export interface UserTopicTable {
  user_id: number
  stream_id: number
  topic_name: string
  topic_key: string
  /** 1 muted, 2 unmuted, 3 followed; without a row, the stream decides. */
  visibility_policy: number
  last_updated: number
}
