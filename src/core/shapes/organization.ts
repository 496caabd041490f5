import * as v from 'valibot'
import { id, integer, unixTime } from './values.ts'

/** A format of thumbnails. */
const thumbnailFormatShape = v.strictObject({
  name: v.string(),
  max_width: integer,
  max_height: integer,
  format: v.string(),
  animated: v.boolean(),
})

/** Groups that a permission may have as its value. */
const permissionRules = v.strictObject({
  require_system_group: v.boolean(),
  allow_internet_group: v.boolean(),
  allow_nobody_group: v.boolean(),
  allow_everyone_group: v.boolean(),
  default_group_name: v.string(),
  default_for_system_groups: v.nullable(v.string()),
  allowed_system_groups: v.array(v.string()),
})
const rulesByPermission = v.record(v.string(), permissionRules)

const choicesByKey = v.record(v.string(), v.strictObject({ name: v.string(), id: integer }))

/** The organization in register's response, without its settings. */
/** An allowed domain for the email addresses of accounts. */
export const domainShape = v.strictObject({ domain: v.string(), allow_subdomains: v.boolean() })

export const organizationEntries = {
  realm_date_created: unixTime,
  realm_uuid: v.string(),
  /** Whether owners may export private data without consent. */
  realm_owner_full_content_access: v.boolean(),
  realm_url: v.string(),
  /** Older name of realm_url. */
  realm_uri: v.string(),
  realm_bot_domain: v.string(),
  realm_icon_url: v.string(),
  realm_icon_source: v.string(),
  realm_logo_url: v.string(),
  realm_logo_source: v.string(),
  realm_night_logo_url: v.string(),
  realm_night_logo_source: v.string(),
  realm_empty_topic_display_name: v.string(),
  realm_password_auth_enabled: v.boolean(),
  realm_email_auth_enabled: v.boolean(),
  realm_push_notifications_enabled: v.boolean(),
  realm_push_notifications_enabled_end_timestamp: v.nullable(unixTime),
  realm_plan_type: integer,
  realm_available_video_chat_providers: choicesByKey,
  realm_default_external_accounts: v.record(
    v.string(),
    v.strictObject({ text: v.string(), url_pattern: v.string(), name: v.string(), hint: v.string() }),
  ),
  zulip_plan_is_not_limited: v.boolean(),
  upgrade_text_for_wide_organization_logo: v.string(),
}

/** The server and its limits in register's answer. */
export const serverEntries = {
  /** When it was started. */
  server_generation: unixTime,
  server_presence_ping_interval_seconds: integer,
  server_presence_offline_threshold_seconds: integer,
  server_typing_started_expiry_period_milliseconds: integer,
  server_typing_stopped_wait_period_milliseconds: integer,
  server_typing_started_wait_period_milliseconds: integer,
  /** Whether channels have email addresses. */
  server_receives_email: v.boolean(),
  server_inline_image_preview: v.boolean(),
  /** Formats of thumbnails. */
  server_thumbnail_formats: v.array(thumbnailFormatShape),
  server_inline_url_embed_preview: v.boolean(),
  server_avatar_changes_disabled: v.boolean(),
  server_name_changes_disabled: v.boolean(),
  server_needs_upgrade: v.boolean(),
  server_web_public_streams_enabled: v.boolean(),
  server_emoji_data_url: v.string(),
  server_jitsi_server_url: v.string(),
  server_can_summarize_topics: v.boolean(),
  server_min_deactivated_realm_deletion_days: v.nullable(integer),
  server_max_deactivated_realm_deletion_days: v.nullable(integer),
  server_supported_permission_settings: v.strictObject({
    realm: rulesByPermission,
    stream: rulesByPermission,
    group: rulesByPermission,
  }),
  settings_send_digest_emails: v.boolean(),
  development_environment: v.boolean(),
  event_queue_longpoll_timeout_seconds: integer,
  gif_rating_policy_options: choicesByKey,
  /** The organization's own server, or the one of server_jitsi_server_url. */
  jitsi_server_url: v.string(),
  password_min_length: integer,
  password_max_length: integer,
  password_min_guesses: integer,
  max_stream_name_length: integer,
  max_stream_description_length: integer,
  max_channel_folder_name_length: integer,
  max_channel_folder_description_length: integer,
  max_topic_length: integer,
  max_reminder_note_length: integer,
  server_report_message_types: v.array(v.strictObject({ key: v.string(), name: v.string() })),
  /** A request that subscribes more people sends no direct messages about it. */
  max_bulk_new_subscription_messages: integer,
  /** Bytes of UTF-8. */
  max_message_length: integer,
  max_file_upload_size_mib: integer,
  max_avatar_file_size_mib: integer,
  max_icon_file_size_mib: integer,
  max_logo_file_size_mib: integer,
}

/** The user's role and permissions in register's answer. */
export const ownEntries = {
  user_id: id,
  email: v.string(),
  delivery_email: v.string(),
  full_name: v.string(),
  is_owner: v.boolean(),
  is_admin: v.boolean(),
  is_moderator: v.boolean(),
  is_guest: v.boolean(),
  can_create_streams: v.boolean(),
  can_create_public_streams: v.boolean(),
  can_create_private_streams: v.boolean(),
  can_create_web_public_streams: v.boolean(),
  can_invite_others_to_realm: v.boolean(),
}
