import { type SqlBool, sql } from 'kysely'
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

/** The schema of the first release. Later changes are later files. */
export const firstRelease: Migration = {
  name: '2026-11-28-first-release',
  async up(db, dialect) {
    await createTables(db, dialect, tables)
    const isStarred = sql<SqlBool>`flags % 2 = 1`
    const starred = db.schema.createIndex('message_flag_starred').on('message_flag').columns(['user_id', 'message_id'])
    await starred.where(isStarred).execute()
    await dialect.search.create(db)
    await db.insertInto('search_progress').values({ indexed_up_to: 0 }).execute()
    await db.insertInto('event_log_state').values({ reserved_up_to: 0, pruned_up_to: 0 }).execute()
    await db.insertInto('file_space').values({ bytes: 0 }).execute()
  },
}

const tables: TableList = {
  organization: {
    columns: { id, name: text, description: text, uuid: text, created_at: time, deactivated_at: maybe(time) },
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
      delivery_email: { ...text, default: '' },
      email_shown_to: { type: 'small', default: 600 },
      avatar_medium_blob_id: maybe(int),
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
    columns: {
      id,
      user_id: ref('user'),
      digest: text,
      created_at: time,
      name: { ...text, default: '' },
      last_used_at: maybe(time),
    },
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
      is_recently_active: { ...flag, default: 1 },
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
      topic_key: { on: ['name_key', 'stream_id'] },
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
      // A partial index, so that queries for the few matching rows don't read all others.
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
    columns: {
      sender_id: ref('user'),
      queue_id: text,
      local_id: text,
      digest: text,
      message_id: int,
      created_at: time,
    },
    primaryKey: ['sender_id', 'queue_id', 'local_id', 'digest'],
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
      read_by_sender: maybe({ type: 'small' }),
    },
    indexes: {
      scheduled_message_due: { on: ['failed', 'deliver_at'] },
      scheduled_message_sender: { on: ['sender_id'] },
    },
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
      // Not a reference: the key may be deleted before its queue.
      key_id: maybe(int),
    },
    primaryKey: ['id'],
    indexes: { queue_user: { on: ['user_id'] } },
  },
  role_change: {
    columns: { event_id: int, user_id: ref('user'), role_before: int },
    primaryKey: ['event_id'],
  },
  event_log_state: {
    columns: { reserved_up_to: int, pruned_up_to: int, transient_up_to: { ...int, default: 0 } },
  },
  idempotency_key: {
    columns: { user_id: ref('user'), key: text, digest: text, answer: text, created_at: time },
    primaryKey: ['user_id', 'key'],
    indexes: { idempotency_key_age: { on: ['created_at'] } },
  },
  bot_storage: {
    columns: { user_id: ref('user'), key: text, value: text, size: int },
    primaryKey: ['user_id', 'key'],
  },
  search_text: {
    columns: { message_id: { type: 'id', references: 'message', cascade: true }, text },
    primaryKey: ['message_id'],
  },
  secret_fingerprint: {
    columns: { fingerprint: text },
  },
  saved_snippet: {
    columns: { id, user_id: ref('user'), title: text, content: text, created_at: time },
    indexes: { saved_snippet_user: { on: ['user_id'] } },
  },
  draft: {
    columns: { id, user_id: ref('user'), type: text, recipients: text, topic: text, content: text, edited_at: time },
    indexes: { draft_user: { on: ['user_id'] } },
  },
  linkifier: {
    columns: { id, pattern: text, url_template: text, position: int },
    indexes: { linkifier_pattern: { on: ['pattern'], unique: true } },
  },
  playground: {
    columns: { id, name: text, pygments_language: text, url_template: text },
    indexes: { playground_name: { on: ['pygments_language', 'name'], unique: true } },
  },
  archived_message: {
    columns: { message_id: int, conversation_id: int, archived_at: time, rows: text },
    primaryKey: ['message_id'],
    indexes: {
      archived_message_age: { on: ['archived_at'] },
      archived_message_place: { on: ['conversation_id', 'message_id'] },
    },
  },
  password_link: {
    columns: { id, user_id: ref('user'), digest: text, created_at: time, expires_at: time },
    indexes: {
      password_link_digest: { on: ['digest'], unique: true },
      password_link_user: { on: ['user_id'] },
    },
  },
  bot: {
    columns: {
      user_id: ref('user'),
      default_sending_stream: maybe(text),
      default_events_register_stream: maybe(text),
      default_all_public_streams: flag,
      config_data: text,
      payload_url: maybe(text),
      interface: maybe(int),
      token: maybe(text),
      from_message_id: maybe(int),
    },
    primaryKey: ['user_id'],
  },
  file: {
    columns: {
      id,
      path: text,
      owner_id: ref('user'),
      blob_id: ref('blob'),
      name: text,
      content_type: text,
      size: int,
      created_at: time,
      unused_since: maybe(time),
      width: maybe(int),
      height: maybe(int),
      frames: maybe(int),
      has_thumbnail: flag,
      thumbnail_attempts: maybe(int),
    },
    indexes: {
      file_path: { on: ['path'], unique: true },
      file_owner: { on: ['owner_id'] },
      file_blob: { on: ['blob_id'] },
      file_thumbnail_due: { on: ['id'], where: ['thumbnail_attempts', 'not null'] },
      file_unused: { on: ['unused_since'], where: ['unused_since', 'not null'] },
    },
  },
  upload: {
    columns: {
      id,
      token: maybe(text),
      owner_id: ref('user'),
      blob_id: ref('blob'),
      name: text,
      content_type: text,
      size: maybe(int),
      received: int,
      expires_at: time,
    },
    indexes: {
      upload_token: { on: ['token'], unique: true },
      upload_owner: { on: ['owner_id'] },
      upload_blob: { on: ['blob_id'] },
    },
  },
  message_file: {
    columns: { message_id: partOf('message'), file_id: partOf('file') },
    primaryKey: ['message_id', 'file_id'],
    indexes: { message_file_file: { on: ['file_id'] } },
  },
  scheduled_message_file: {
    columns: { scheduled_message_id: partOf('scheduled_message'), file_id: partOf('file') },
    primaryKey: ['scheduled_message_id', 'file_id'],
    indexes: { scheduled_message_file_file: { on: ['file_id'] } },
  },
  draft_file: {
    columns: { draft_id: partOf('draft'), file_id: partOf('file') },
    primaryKey: ['draft_id', 'file_id'],
    indexes: { draft_file_file: { on: ['file_id'] } },
  },
  file_space: { columns: { bytes: int } },
  dropped_blob: { columns: { blob_id: int, dropped_at: time }, primaryKey: ['blob_id'] },
  thumbnail: {
    columns: { file_id: partOf('file'), format: text, blob_id: ref('blob') },
    primaryKey: ['file_id', 'format'],
    indexes: { thumbnail_blob: { on: ['blob_id'] } },
  },
  organization_picture: {
    columns: { kind: text, blob_id: maybe(int), version: int },
    primaryKey: ['kind'],
  },
  invitation: {
    columns: {
      id,
      inviter_id: ref('user'),
      email: maybe(text),
      email_key: maybe(text),
      nonce: text,
      role: int,
      created_at: time,
      expires_at: maybe(time),
      notify_referrer: flag,
      include_defaults: flag,
      is_multiuse: flag,
      revoked: flag,
      stream_ids: text,
      group_ids: text,
    },
    indexes: { invitation_inviter: { on: ['inviter_id', 'email_key'] } },
  },
  organization_domain: {
    columns: { id, domain: text, allow_subdomains: flag },
    indexes: { organization_domain_name: { on: ['domain'], unique: true } },
  },
  user_setting_default: { columns: { name: text, value: text }, primaryKey: ['name'] },
  default_stream_group: { columns: { id, name: text, description: text, stream_ids: text } },
  onboarding_step: {
    columns: { user_id: ref('user'), step: text, seen_at: time },
    primaryKey: ['user_id', 'step'],
  },
  push_token: {
    columns: { id, user_id: ref('user'), kind: text, token: text, app_id: maybe(text), created_at: time },
    indexes: { push_token_once: { on: ['user_id', 'kind', 'token'], unique: true } },
  },
  outgoing_delivery: {
    columns: {
      id,
      bot_id: ref('user'),
      // Not a reference: the message may be deleted before it is sent.
      message_id: int,
      trigger: text,
      attempts: int,
      next_at: time,
      failed: flag,
      failure: maybe(text),
      created_at: time,
    },
    indexes: {
      outgoing_delivery_once: { on: ['bot_id', 'message_id'], unique: true },
      outgoing_delivery_due: { on: ['bot_id', 'next_at'], where: ['failed', 0] },
    },
  },
  outgoing_progress: { columns: { message_id: int } },
  data_export: {
    columns: {
      id,
      user_id: ref('user'),
      kind: int,
      requested_at: time,
      begun_at: maybe(time),
      failed_at: maybe(time),
      finished_at: maybe(time),
      deleted_at: maybe(time),
      path: maybe(text),
      blob_id: maybe(ref('blob')),
      size: maybe(int),
    },
    indexes: {
      data_export_path: { on: ['path'], unique: true },
      data_export_blob: { on: ['blob_id'] },
    },
  },
  peer_change: {
    columns: { id, origin: text, change: text, created_at: time },
  },
  shared_secret: {
    columns: { value: bytes },
  },
  web_push_subscription: {
    columns: {
      id,
      user_id: partOf('user'),
      key_id: partOf('api_key'),
      endpoint: text,
      p256dh: text,
      auth: text,
      from_message_id: int,
      created_at: time,
    },
    indexes: {
      web_push_subscription_endpoint: { on: ['endpoint'], unique: true },
      web_push_subscription_user: { on: ['user_id'] },
      web_push_subscription_key: { on: ['key_id'] },
    },
  },
  web_push_delivery: {
    columns: {
      id,
      subscription_id: partOf('web_push_subscription'),
      // Not a reference: the message may be deleted before it is sent.
      message_id: int,
      attempts: int,
      next_at: time,
    },
    indexes: {
      web_push_delivery_once: { on: ['subscription_id', 'message_id'], unique: true },
      web_push_delivery_due: { on: ['next_at'] },
    },
  },
  web_push_progress: { columns: { message_id: int } },
}
