import type { Migration } from '../migration.ts'
import {
  bytes,
  createTables,
  flag,
  id,
  int,
  maybe,
  partOf,
  ref,
  type TableList,
  text,
  time,
} from '../tables/table-list.ts'

/** The first schema. Append-only once released: later changes are later files. */
export const init: Migration = {
  name: '2026-11-21-init',
  async up(db, dialect) {
    await createTables(db, dialect, tables)
    await dialect.search.create(db)
    await db.insertInto('search_progress').values({ indexed_up_to: 0 }).execute()
  },
}

const tables: TableList = {
  organization: {
    columns: { id, name: text, description: text, uuid: text, created_at: time },
  },
  organization_setting: {
    columns: { name: text, value: text },
    primaryKey: ['name'],
  },
  blob: {
    columns: { id, size: int, created_at: time, content_type: text },
  },
  blob_chunk: {
    columns: { blob_id: partOf('blob'), seq: int, data: bytes },
    primaryKey: ['blob_id', 'seq'],
  },

  // People
  user: {
    columns: {
      id,
      email: text,
      email_key: text,
      full_name: text,
      name_key: text,
      timezone: text,
      avatar_source: text,
      role: int,
      is_active: flag,
      is_system_bot: flag,
      date_joined: time,
      avatar_version: int,
      bot_type: maybe(int),
      bot_owner_id: maybe(int),
      avatar_blob_id: maybe(int),
      password_hash: maybe(text),
    },
    indexes: {
      user_email: { on: ['email_key'], unique: true },
      user_name: { on: ['name_key'] },
    },
  },
  user_setting: {
    columns: { user_id: ref('user'), name: text, value: text },
    primaryKey: ['user_id', 'name'],
  },
  api_key: {
    columns: { id, user_id: ref('user'), digest: text, created_at: time },
    indexes: {
      api_key_digest: { on: ['digest'], unique: true },
      api_key_user: { on: ['user_id'] },
    },
  },
  alert_word: {
    columns: { user_id: ref('user'), word: text, word_key: text },
    primaryKey: ['user_id', 'word_key'],
  },
  muted_user: {
    columns: { user_id: ref('user'), muted_user_id: int, muted_at: time },
    primaryKey: ['user_id', 'muted_user_id'],
  },
  user_status: {
    columns: {
      user_id: ref('user'),
      status_text: text,
      emoji_name: text,
      emoji_code: text,
      reaction_type: text,
      away: flag,
    },
    primaryKey: ['user_id'],
  },
  presence: {
    columns: { user_id: ref('user'), active_at: maybe(time), idle_at: maybe(time), client: text, update_id: int },
    primaryKey: ['user_id'],
    indexes: { presence_update: { on: ['update_id'] } },
  },
  profile_field: {
    columns: {
      id,
      name: text,
      hint: text,
      field_data: text,
      type: int,
      position: int,
      display_in_profile_summary: flag,
      required: flag,
      editable_by_user: flag,
    },
  },
  profile_value: {
    columns: {
      user_id: ref('user'),
      value: text,
      field_id: partOf('profile_field'),
      rendered_value: maybe(text),
    },
    primaryKey: ['user_id', 'field_id'],
  },

  // Groups
  user_group: {
    columns: {
      id,
      name: text,
      name_key: text,
      description: text,
      settings: text,
      is_system_group: flag,
      is_deactivated: flag,
      creator_id: maybe(int),
      date_created: maybe(time),
    },
    indexes: { user_group_name: { on: ['name_key'], unique: true, where: ['is_deactivated', 0] } },
  },
  user_group_member: {
    columns: { group_id: ref('user_group'), user_id: ref('user') },
    primaryKey: ['group_id', 'user_id'],
    indexes: { user_group_member_user: { on: ['user_id'] } },
  },
  user_group_subgroup: {
    columns: { group_id: ref('user_group'), subgroup_id: ref('user_group') },
    primaryKey: ['group_id', 'subgroup_id'],
    indexes: { user_group_subgroup_sub: { on: ['subgroup_id'] } },
  },

  // Conversations and streams
  conversation: {
    columns: { id, kind: text, participant_key: maybe(text) },
    indexes: { conversation_participants: { on: ['participant_key'], unique: true } },
  },
  direct_participant: {
    columns: { user_id: ref('user'), conversation_id: ref('conversation') },
    primaryKey: ['user_id', 'conversation_id'],
    indexes: { direct_participant_conversation: { on: ['conversation_id'] } },
  },
  stream: {
    columns: {
      id: { type: 'id', references: 'conversation' },
      name: text,
      name_key: text,
      description: text,
      rendered_description: text,
      settings: text,
      date_created: time,
      invite_only: flag,
      is_web_public: flag,
      history_public_to_subscribers: flag,
      is_archived: flag,
      creator_id: maybe(int),
      message_retention_days: maybe(int),
      first_message_id: maybe(int),
    },
    primaryKey: ['id'],
    indexes: { stream_name: { on: ['name_key'], unique: true, where: ['is_archived', 0] } },
  },
  subscription: {
    columns: {
      user_id: ref('user'),
      color: text,
      stream_id: ref('stream'),
      is_active: flag,
      is_muted: flag,
      pin_to_top: flag,
      desktop_notifications: maybe(flag),
      audible_notifications: maybe(flag),
      push_notifications: maybe(flag),
      email_notifications: maybe(flag),
      wildcard_mentions_notify: maybe(flag),
    },
    primaryKey: ['user_id', 'stream_id'],
    indexes: { subscription_stream_active: { on: ['stream_id', 'is_active', 'user_id'] } },
  },
  subscription_period: {
    columns: {
      id,
      user_id: ref('user'),
      stream_id: int,
      from_message_id: int,
      from_event_id: int,
      to_message_id: maybe(int),
      to_event_id: maybe(int),
    },
    indexes: {
      subscription_period_user: { on: ['user_id', 'stream_id', 'from_message_id'] },
      subscription_period_stream: { on: ['stream_id', 'user_id'] },
    },
  },
  topic: {
    columns: { id, stream_id: ref('stream'), name: text, name_key: text },
    indexes: {
      topic_name: { on: ['stream_id', 'name_key'], unique: true },
      topic_key: { on: ['name_key'] },
    },
  },
  default_stream: {
    columns: { stream_id: ref('stream') },
    primaryKey: ['stream_id'],
  },
  user_topic: {
    columns: {
      user_id: ref('user'),
      stream_id: ref('stream'),
      topic_name: text,
      topic_key: text,
      visibility_policy: int,
      last_updated: time,
    },
    primaryKey: ['user_id', 'stream_id', 'topic_key'],
    indexes: { user_topic_topic: { on: ['stream_id', 'topic_key'] } },
  },

  // Messages
  message: {
    columns: {
      id,
      sender_id: ref('user'),
      conversation_id: ref('conversation'),
      topic_id: maybe(ref('topic')),
      content: text,
      rendered_content: text,
      client: text,
      sent_at: time,
      read_by_sender: flag,
      stream_wildcard: flag,
      topic_wildcard: flag,
      has_link: flag,
      has_image: flag,
      has_attachment: flag,
      is_me_message: flag,
      edited_at: maybe(time),
      moved_at: maybe(time),
      origin_id: maybe(int),
    },
    indexes: {
      message_conversation: { on: ['conversation_id', 'id'] },
      message_topic: { on: ['topic_id', 'id'] },
      message_sender: { on: ['sender_id', 'id'] },
      message_own_unread: { on: ['sender_id', 'id'], where: ['read_by_sender', 0] },
      // A partial index, so that queries for the few do not read all the others.
      message_has_image: { on: ['id'], where: ['has_image', 1] },
      message_has_attachment: { on: ['id'], where: ['has_attachment', 1] },
      message_stream_wildcard: { on: ['id'], where: ['stream_wildcard', 1] },
      message_origin: { on: ['origin_id', 'id'], where: ['origin_id', 'not null'] },
    },
  },
  search_progress: {
    columns: { indexed_up_to: int },
  },
  message_edit: {
    columns: {
      id,
      message_id: partOf('message'),
      edited_at: time,
      user_id: maybe(int),
      prev_stream_id: maybe(int),
      stream_id: maybe(int),
      prev_content: maybe(text),
      prev_rendered_content: maybe(text),
      prev_topic: maybe(text),
      topic: maybe(text),
    },
    indexes: { message_edit_message: { on: ['message_id'] } },
  },
  message_flag: {
    columns: { user_id: ref('user'), message_id: partOf('message'), flags: int },
    primaryKey: ['user_id', 'message_id'],
    indexes: { message_flag_message: { on: ['message_id'] } },
  },
  read_range: {
    columns: { user_id: ref('user'), conversation_id: ref('conversation'), lo: int, hi: int },
    primaryKey: ['user_id', 'conversation_id', 'lo'],
    indexes: { read_range_conversation: { on: ['conversation_id', 'hi'] } },
  },
  reaction: {
    columns: {
      id,
      message_id: partOf('message'),
      user_id: ref('user'),
      emoji_name: text,
      emoji_code: text,
      reaction_type: text,
    },
    indexes: { reaction_once: { on: ['message_id', 'user_id', 'reaction_type', 'emoji_code'], unique: true } },
  },
  submessage: {
    columns: { id, message_id: partOf('message'), sender_id: ref('user'), msg_type: text, content: text },
    indexes: { submessage_message: { on: ['message_id'] } },
  },
  send_receipt: {
    columns: { sender_id: ref('user'), queue_id: text, local_id: text, message_id: int, created_at: time },
    primaryKey: ['sender_id', 'queue_id', 'local_id'],
    indexes: { send_receipt_age: { on: ['created_at'] } },
  },
  scheduled_message: {
    columns: {
      id,
      sender_id: ref('user'),
      conversation_id: ref('conversation'),
      content: text,
      rendered_content: text,
      client: text,
      deliver_at: time,
      failed: flag,
      topic: maybe(text),
      failure_message: maybe(text),
    },
    indexes: { scheduled_message_due: { on: ['failed', 'deliver_at'] } },
  },
  custom_emoji: {
    columns: {
      id,
      name: text,
      content_type: text,
      author_id: maybe(ref('user')),
      is_deactivated: flag,
      blob_id: int,
      is_animated: flag,
    },
    indexes: { custom_emoji_name: { on: ['name'], unique: true, where: ['is_deactivated', 0] } },
  },

  // The event log and its readers
  event: {
    columns: { id, type: text, payload: text, audience: text, created_at: time },
  },
  queue: {
    columns: {
      id: text,
      user_id: ref('user'),
      client: text,
      options: text,
      start_event_id: int,
      acked_event_id: int,
      lifespan_seconds: int,
      last_used_at: time,
    },
    primaryKey: ['id'],
    indexes: { queue_user: { on: ['user_id'] } },
  },
}
