import type { ClientState } from '../state/client-state.ts'

export const registration = (include_subscribers: boolean) => ({
  apply_markdown: true,
  client_gravatar: true,
  slim_presence: true,
  include_subscribers,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    linkifier_url_template: true,
    empty_topic_name: true,
    archived_channels: true,
    individual_emoji_changes: true,
    pinned_messages: true,
  },
})

/**
 * Parts of the state that can be fetched after the others, by their names in `fetch_event_types`. They have an entry
 * for each user. Muted topics are among them because no response has both their old and their new form.
 */
export const laterParts: readonly string[] = ['muted_topics', 'presence', 'realm_user', 'user_status']

export const firstParts: readonly string[] = (
  'alert_words bot_commands channel_folders custom_profile_fields default_stream_groups default_streams device drafts giphy klipy message ' +
  'muted_users navigation_views onboarding_steps realm realm_billing realm_bot realm_domains realm_embedded_bots realm_emoji realm_filters ' +
  'realm_incoming_webhook_bots realm_linkifiers realm_playgrounds realm_user_groups realm_user_settings_defaults ' +
  'recent_private_conversations reminders saved_snippets scheduled_messages starred_messages stop_words stream subscription tenor ' +
  'update_message_flags user_settings user_topic video_calls'
).split(' ')

type Later = Pick<
  ClientState,
  | 'realm_users'
  | 'realm_non_active_users'
  | 'cross_realm_bots'
  | 'avatar_source'
  | 'avatar_url'
  | 'avatar_url_medium'
  | 'presences'
  | 'presence_last_update_id'
  | 'server_timestamp'
  | 'user_status'
  | 'muted_topics'
>

/** Returns the later parts of a state, taken from an earlier state where there is one. */
export const laterOf = (state: Partial<Later> | undefined): Later => ({
  realm_users: state?.realm_users ?? [],
  realm_non_active_users: state?.realm_non_active_users ?? [],
  cross_realm_bots: state?.cross_realm_bots ?? [],
  avatar_source: state?.avatar_source ?? '',
  avatar_url: state?.avatar_url ?? null,
  avatar_url_medium: state?.avatar_url_medium ?? null,
  presences: state?.presences ?? {},
  presence_last_update_id: state?.presence_last_update_id ?? -1,
  server_timestamp: state?.server_timestamp ?? 0,
  user_status: state?.user_status ?? {},
  muted_topics: state?.muted_topics ?? [],
})
