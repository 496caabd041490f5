import type { User } from '../context.ts'
import type { Form } from './compat.ts'

/** Settings that clients without `user_settings_object` know by two older event types. No setting has joined since. */
export const displaySettings: ReadonlySet<string> = new Set([
  'color_scheme',
  'default_language',
  'demote_inactive_streams',
  'dense_mode',
  'display_emoji_reaction_users',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'escape_navigates_to_default_view',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'receives_typing_notifications',
  'send_private_typing_notifications',
  'send_read_receipts',
  'send_stream_typing_notifications',
  'starred_message_counts',
  'timezone',
  'translate_emoticons',
  'twenty_four_hour_time',
  'web_home_view',
])

export const notificationSettings: ReadonlySet<string> = new Set([
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'realm_name_in_email_notifications_policy',
  'wildcard_mentions_notify',
])

/** A change of a setting as those clients take it; none for settings they do not know. */
export function legacySettingForms(event: { property: string; value: unknown }, { email }: User): Form[] {
  const { property, value: setting } = event
  if (displaySettings.has(property)) {
    const type = 'update_display_settings'
    return [{ type, variant: type, before: 1, make: () => ({ type, user: email, setting_name: property, setting }) }]
  }
  if (notificationSettings.has(property)) {
    const type = 'update_global_notifications'
    const make = () => ({ type, user: email, notification_name: property, setting })
    return [{ type, variant: type, before: 1, make }]
  }
  return []
}
