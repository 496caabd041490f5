import * as v from 'valibot'
import type { Db } from '../../storage/index.ts'
import { defineCacheById } from '../cache.ts'
import type { Caller } from '../context.ts'
import { bool, integer, line } from '../fields.ts'

/** A personal setting: what it may be and what it is at first. */
interface UserSetting<T = unknown> {
  schema: v.GenericSchema<unknown, T>
  default: T
}
const yes = (initial: boolean): UserSetting<boolean> => ({ schema: bool, default: initial })
const oneOf = (initial: number, ...values: number[]): UserSetting<number> => ({
  schema: v.pipe(
    integer,
    v.check((n) => values.includes(n), 'Invalid {name}'),
  ),
  default: initial,
})
const number = (initial: number, min: number, max: number): UserSetting<number> => ({
  schema: v.pipe(integer, v.minValue(min, 'Invalid {name}'), v.maxValue(max, 'Invalid {name}')),
  default: initial,
})
const words = (initial: string): UserSetting<string> => ({ schema: v.pipe(line, v.maxLength(100)), default: initial })
const choice = <const T extends string>(initial: T, ...others: T[]): UserSetting<T> => ({
  schema: v.picklist([initial, ...others]),
  default: initial,
})

/** Every personal setting there is; `register` shows all of them as user_settings. */
export const userSettings = {
  // Display
  twenty_four_hour_time: yes(false),
  web_mark_read_on_scroll_policy: oneOf(1, 1, 2, 3),
  web_channel_default_view: oneOf(1, 1, 2, 3, 4),
  starred_message_counts: yes(true),
  receives_typing_notifications: yes(true),
  web_suggest_update_timezone: yes(true),
  fluid_layout_width: yes(false),
  high_contrast_mode: yes(false),
  web_font_size_px: number(16, 12, 20),
  web_line_height_percent: number(140, 100, 200),
  color_scheme: oneOf(1, 1, 2, 3),
  translate_emoticons: yes(false),
  display_emoji_reaction_users: yes(true),
  default_language: words('en'),
  web_home_view: choice('inbox', 'recent_topics', 'recent', 'all_messages', 'all'),
  web_escape_navigates_to_home_view: yes(true),
  web_navigate_to_sent_message: yes(true),
  web_animate_image_previews: choice('on_hover', 'always', 'never'),
  left_side_userlist: yes(false),
  emojiset: choice('google', 'google-blob', 'twitter', 'text'),
  demote_inactive_streams: oneOf(1, 1, 2, 3),
  user_list_style: oneOf(2, 1, 2, 3),
  web_stream_unreads_count_display_policy: oneOf(2, 1, 2, 3),
  hide_ai_features: yes(false),
  dense_mode: yes(true),
  allow_private_data_export: yes(false),

  // Notifications
  enable_stream_desktop_notifications: yes(false),
  enable_stream_email_notifications: yes(false),
  enable_stream_push_notifications: yes(false),
  enable_stream_audible_notifications: yes(false),
  notification_sound: words('zulip'),
  enable_desktop_notifications: yes(true),
  enable_sounds: yes(true),
  enable_offline_email_notifications: yes(true),
  enable_offline_push_notifications: yes(true),
  enable_online_push_notifications: yes(true),
  enable_followed_topic_desktop_notifications: yes(true),
  enable_followed_topic_email_notifications: yes(true),
  enable_followed_topic_push_notifications: yes(true),
  enable_followed_topic_audible_notifications: yes(true),
  enable_digest_emails: yes(false),
  enable_marketing_emails: yes(false),
  enable_login_emails: yes(false),
  message_content_in_email_notifications: yes(true),
  pm_content_in_desktop_notifications: yes(true),
  wildcard_mentions_notify: yes(true),
  enable_followed_topic_wildcard_mentions_notify: yes(true),
  desktop_icon_count_display: oneOf(1, 1, 2, 3, 4),
  realm_name_in_email_notifications_policy: oneOf(1, 1, 2, 3),
  automatically_follow_topics_policy: oneOf(1, 1, 2, 3, 4),
  automatically_unmute_topics_in_muted_streams_policy: oneOf(2, 1, 2, 3, 4),
  automatically_follow_topics_where_mentioned: yes(true),
  email_notifications_batching_period_seconds: number(120, 1, 604_800),

  // Privacy and writing
  presence_enabled: yes(true),
  enter_sends: yes(false),
  enable_drafts_synchronization: yes(true),
  send_private_typing_notifications: yes(true),
  send_stream_typing_notifications: yes(true),
  send_read_receipts: yes(true),
  email_address_visibility: oneOf(1, 1, 2, 3, 4, 5),
} satisfies Record<string, UserSetting>

export type UserSettingName = keyof typeof userSettings
type ValueOf<S> = S extends UserSetting<infer T> ? T : never
export type UserSettings = { readonly [N in UserSettingName]: ValueOf<(typeof userSettings)[N]> }

/** A user's settings, defaults included. */
export const cachedUserSettings = defineCacheById('user-settings', loadUserSettings)

/** All of the caller's settings, defaults included. */
export const userSettingsOf = (caller: Caller): Promise<UserSettings> => cachedUserSettings.get(caller, caller.user.id)

export async function userSettingOf<N extends UserSettingName>(caller: Caller, name: N): Promise<UserSettings[N]> {
  return (await userSettingsOf(caller))[name]
}

async function loadUserSettings(db: Db, user_id: number): Promise<UserSettings> {
  const settings: Record<string, unknown> = {}
  for (const [name, { default: initial }] of Object.entries(userSettings)) settings[name] = initial
  const rows = await db.selectFrom('user_setting').select(['name', 'value']).where('user_id', '=', user_id).execute()
  for (const row of rows) if (row.name in settings) settings[row.name] = JSON.parse(row.value)
  return settings as UserSettings
}
