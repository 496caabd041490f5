import * as v from 'valibot'
import { type Db, flag, isSet, type Soon } from '../../storage/index.ts'
import { defineCache, defineCacheById } from '../kernel/cache.ts'
import type { Caller, Context, SystemTx } from '../kernel/context.ts'
import { emojisets, languages, notificationSounds } from './choices.ts'
import { hasDayHours, TIME_SETTING } from './hour-cycle.ts'
import { bool, custom, int, oneOf } from './kinds.ts'
import { client, kept, namesOf, type SettingsTable, type StoredValues, server, withStored } from './setting.ts'

const NO_NEWS = "doesn't send news by email"

const homeViews = ['inbox', 'recent', 'all_messages'] as const
/** The recent view had another name before. */
const homeView = custom(
  v.pipe(
    v.picklist([...homeViews, 'recent_topics'], 'Invalid {name}'),
    v.transform((view) => (view === 'recent_topics' ? 'recent' : view)),
  ),
  'inbox',
  v.picklist(homeViews),
)

/** Every personal setting. Users may change their own, and `register` returns them as user_settings. */
export const userSettings = {
  // Display
  twenty_four_hour_time: client(bool(false)),
  web_mark_read_on_scroll_policy: client(oneOf(1, [1, 2, 3])),
  web_channel_default_view: client(oneOf(1, [1, 2, 3, 4])),
  starred_message_counts: client(bool(true)),
  receives_typing_notifications: server(bool(true)),
  web_suggest_update_timezone: client(bool(true)),
  fluid_layout_width: client(bool(false)),
  high_contrast_mode: client(bool(false)),
  web_font_size_px: client(int(16, 12, 20)),
  web_line_height_percent: client(int(140, 100, 200)),
  color_scheme: client(oneOf(1, [1, 2, 3])),
  web_accent_color: client(oneOf('organization', ['organization', 'blue', 'green', 'purple', 'orange'])),
  translate_emoticons: server(bool(false)),
  display_emoji_reaction_users: client(bool(true)),
  default_language: server(oneOf('en', languages)),
  web_home_view: client(homeView),
  web_escape_navigates_to_home_view: client(bool(true)),
  web_navigate_to_sent_message: client(bool(true)),
  web_animate_image_previews: client(oneOf('on_hover', ['on_hover', 'always', 'never'])),
  web_link_previews: client(bool(true)),
  left_side_userlist: client(bool(false)),
  emojiset: client(
    oneOf(
      'google',
      emojisets.map(({ key }) => key),
    ),
  ),
  demote_inactive_streams: client(oneOf(1, [1, 2, 3])),
  user_list_style: client(oneOf(2, [1, 2, 3])),
  web_stream_unreads_count_display_policy: client(oneOf(2, [1, 2, 3])),
  web_left_sidebar_unreads_count_summary: client(bool(true)),
  web_left_sidebar_show_channel_folders: client(bool(true)),
  web_inbox_show_channel_folders: client(bool(true)),
  hide_ai_features: client(bool(false)),
  allow_private_data_export: server(bool(false)),

  // Notifications
  enable_stream_desktop_notifications: client(bool(false)),
  enable_stream_email_notifications: server(bool(false)),
  enable_stream_push_notifications: server(bool(false)),
  enable_stream_audible_notifications: client(bool(false)),
  notification_sound: client(oneOf('zulip', [...notificationSounds, 'none'], "Invalid notification sound '{value}'")),
  enable_desktop_notifications: client(bool(true)),
  enable_sounds: client(bool(true)),
  enable_offline_email_notifications: server(bool(true)),
  enable_offline_push_notifications: server(bool(true)),
  enable_online_push_notifications: server(bool(true)),
  enable_followed_topic_desktop_notifications: client(bool(true)),
  enable_followed_topic_email_notifications: server(bool(true)),
  enable_followed_topic_push_notifications: server(bool(true)),
  enable_followed_topic_audible_notifications: client(bool(true)),
  enable_digest_emails: server(bool(true)),
  enable_marketing_emails: kept(bool(true), NO_NEWS, false),
  enable_login_emails: server(bool(true)),
  message_content_in_email_notifications: server(bool(true)),
  pm_content_in_desktop_notifications: client(bool(true)),
  wildcard_mentions_notify: client(bool(true)),
  enable_followed_topic_wildcard_mentions_notify: client(bool(true)),
  desktop_icon_count_display: client(oneOf(1, [1, 2, 3, 4])),
  realm_name_in_email_notifications_policy: server(oneOf(1, [1, 2, 3])),
  automatically_follow_topics_policy: server(oneOf(3, [1, 2, 3, 4])),
  automatically_unmute_topics_in_muted_streams_policy: server(oneOf(2, [1, 2, 3, 4])),
  automatically_follow_topics_where_mentioned: server(bool(true)),
  resolved_topic_notice_auto_read_policy: server(oneOf('except_followed', ['always', 'except_followed', 'never'])),
  email_notifications_batching_period_seconds: server(int(120, 1, 604_800)),

  // Privacy and writing
  presence_enabled: server(bool(true)),
  enter_sends: client(bool(false)),
  enable_drafts_synchronization: server(bool(true)),
  send_private_typing_notifications: server(bool(true)),
  send_stream_typing_notifications: server(bool(true)),
  send_read_receipts: server(bool(true)),
  email_address_visibility: server(oneOf(1, [1, 2, 3, 4, 5])),
} satisfies SettingsTable

export type UserSettingName = keyof typeof userSettings
export type UserSettings = StoredValues<typeof userSettings>

export const userSettingNames = namesOf(userSettings)

/** A user's settings, defaults included. */
const settingsById = defineCacheById('user-settings', loadUserSettings)

/** Call it after an account's settings were deleted. */
export function forgetUserSettings(tx: SystemTx, user_id: number): void {
  settingsById.invalidate(tx, user_id)
  typingRefused.invalidate(tx)
  resolvingPolicies.invalidate(tx)
}

/** Returns all of the caller's settings, including defaults. */
export const userSettingsOf = (caller: Caller): Soon<UserSettings> => settingsById.get(caller, caller.user.id)

/** Like `userSettingsOf`, for any user. */
export const settingsOfUser = (context: Pick<Context, 'cache'>, user_id: number): Soon<UserSettings> =>
  settingsById.get(context, user_id)

export async function userSettingOf<N extends UserSettingName>(caller: Caller, name: N): Promise<UserSettings[N]> {
  return (await userSettingsOf(caller))[name]
}

async function loadUserSettings(db: Db, user_id: number): Promise<UserSettings> {
  const rows = await db.selectFrom('user_setting').select(['name', 'value']).where('user_id', '=', user_id).execute()
  return userSettingsFrom(rows)
}

/** Returns an account's settings for its stored ones. Unless it has chosen how to write times, its language decides. */
export function userSettingsFrom(rows: readonly { name: string; value: string }[]): UserSettings {
  const values = withStored(userSettings, rows)
  if (rows.some(({ name }) => name === TIME_SETTING)) return values
  return { ...values, twenty_four_hour_time: hasDayHours(values.default_language) }
}

/** Stores a checked value for a user. The caller emits the event. */
export async function putUserSetting<N extends UserSettingName>(
  tx: SystemTx,
  user_id: number,
  name: N,
  value: UserSettings[N],
  by: 'own' | 'administrator' = 'administrator',
): Promise<void> {
  const json = JSON.stringify(value)
  // That somebody once chose a value themselves is remembered.
  const edited = by === 'own' && { edited: flag(true) }
  await tx.db
    .insertInto('user_setting')
    .values({ user_id, name, value: json, edited: flag(by === 'own') })
    .onConflict((oc) => oc.columns(['user_id', 'name']).doUpdateSet({ value: json, ...edited }))
    .execute()
  settingsById.invalidate(tx, user_id)
  if (name === 'receives_typing_notifications') typingRefused.invalidate(tx)
  if (name === 'resolved_topic_notice_auto_read_policy') resolvingPolicies.invalidate(tx)
}

/** Settings that a user has ever changed themselves. */
export async function editedSettingsOf({ db }: Pick<Context, 'db'>, user_id: number): Promise<Set<UserSettingName>> {
  const rows = await db
    .selectFrom('user_setting')
    .select('name')
    .where('user_id', '=', user_id)
    .where('edited', '=', isSet)
    .execute()
  return new Set(rows.map(({ name }) => name as UserSettingName))
}

const typingRefused = defineCache('typing-refused', async (db) => {
  const rows = await db
    .selectFrom('user_setting')
    .select('user_id')
    .where('name', '=', 'receives_typing_notifications')
    .where('value', '=', 'false')
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
})

/** Users with typing notifications off. Read at each keystroke and rarely changed. */
export const usersWithoutTyping = (context: Context): Soon<readonly number[]> => typingRefused.get(context)

const resolvingPolicies = defineCache('resolved-topic-notices', async (db) => {
  const rows = await db
    .selectFrom('user_setting')
    .select(['user_id', 'value'])
    .where('name', '=', 'resolved_topic_notice_auto_read_policy')
    .orderBy('user_id')
    .execute()
  const having = (value: UserSettings['resolved_topic_notice_auto_read_policy']) =>
    rows.filter((row) => row.value === JSON.stringify(value)).map((row) => row.user_id)
  return { always: having('always'), never: having('never') }
})

/** Users who want notices about resolved topics always, or never, as read. */
export const resolvingNotices = (context: Pick<Context, 'cache'>) => resolvingPolicies.get(context)
