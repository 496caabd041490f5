import assert from 'node:assert/strict'
import { bool, type Decode, int, listOf, mapOf, oneOf, shape, text } from './decode.ts'
import * as objects from './objects.ts'

/** How the app registers. */
export const appRegistration = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  },
} as const

const texts = ['queue_id', 'zulip_version', 'zulip_merge_base', 'realm_name', 'realm_icon_url', 'server_emoji_data_url']
const integers = `last_event_id zulip_feature_level max_stream_name_length max_topic_length
server_presence_ping_interval_seconds server_presence_offline_threshold_seconds realm_waiting_period_threshold
max_file_upload_size_mib event_queue_longpoll_timeout_seconds max_channel_folder_name_length
server_typing_stopped_wait_period_milliseconds server_typing_started_wait_period_milliseconds
server_typing_started_expiry_period_milliseconds max_channel_folder_description_length`.split(/\s+/)
const bools = ['realm_allow_message_editing', 'realm_enable_read_receipts', 'realm_presence_disabled']
const each = (names: readonly string[], decode: Decode) => Object.fromEntries(names.map((name) => [name, decode]))

const fields = shape({
  ...each(texts, text),
  ...each(integers, int),
  ...each(bools, bool),
  realm_wildcard_mention_policy: oneOf(1, 2, 3, 5, 6, 7),
  realm_empty_topic_display_name: text,
  realm_topics_policy: text,
  realm_can_delete_any_message_group: objects.groupSetting,
  realm_can_delete_own_message_group: objects.groupSetting,
  'realm_message_content_edit_limit_seconds?': int,
  'realm_message_content_delete_limit_seconds?': int,
  'realm_moderation_request_channel_id?': int,
  alert_words: listOf(text),
  starred_messages: listOf(int),
  custom_profile_fields: listOf(objects.profileField),
  muted_users: listOf(objects.mutedUser),
  realm_user_groups: listOf(objects.userGroup),
  recent_private_conversations: listOf(shape({ max_message_id: int, user_ids: listOf(int) })),
  subscriptions: listOf(objects.subscription),
  streams: listOf(objects.channel),
  user_topics: listOf(objects.userTopic),
  realm_users: listOf(objects.user),
  realm_non_active_users: listOf(objects.user),
  cross_realm_bots: listOf(objects.user),
  presences: mapOf(objects.presence, /^\d+$/),
  realm_emoji: mapOf(objects.emoji),
  user_status: mapOf(objects.status, /^\d+$/),
  realm_default_external_accounts: mapOf(shape({ name: text, text, hint: text, url_pattern: text })),
  unread_msgs: objects.unreadMessages,
  user_settings: objects.userSettings,
  saved_snippets: listOf(objects.snippet),
  channel_folders: listOf(objects.channelFolder),
  devices: mapOf(objects.device, /^\d+$/),
  server_report_message_types: listOf(shape({ key: text, name: text })),
  server_thumbnail_formats: listOf(
    shape({ name: text, max_width: int, max_height: int, format: text, animated: bool }),
  ),
})

type State = Readonly<Record<string, unknown>>
const usersOf = (state: State) =>
  [state.realm_users, state.realm_non_active_users, state.cross_realm_bots].flat() as { user_id: number }[]

/** The answer to the registration of somebody, with what the app looks up in it immediately. */
export function decodeRegistration(state: State, user_id: number): void {
  fields(state, 'register')
  assert.ok(
    usersOf(state).some((one) => one.user_id === user_id),
    "the user's own account",
  )
  // An unknown group counts as no permission.
  const groups = new Set((state.realm_user_groups as { id: number }[]).map(({ id }) => id))
  const channels = [...(state.subscriptions as State[]), ...(state.streams as State[])]
  for (const holder of [state, ...channels]) {
    for (const [name, value] of Object.entries(holder)) {
      if (/^(realm_)?can_.*_group$/.test(name) && typeof value === 'number') assert.ok(groups.has(value), name)
    }
  }
}
