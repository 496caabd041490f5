import type { User } from '../../kernel/user.ts'
import { displaySettings, notificationSettings } from '../../settings/legacy-names.ts'
import type { ChatEvent, LoggedEvent } from '../types/table.ts'

type LegacySetting =
  | Omit<ChatEvent<'update_display_settings'>, 'id'>
  | Omit<ChatEvent<'update_global_notifications'>, 'id'>

/**
 * Returns a change of a setting for clients without `user_settings_object`; undefined for settings they don't know.
 */
export function legacySetting(
  { property, value: setting, language_name }: LoggedEvent<'user_settings'>,
  { email: user }: User,
): LegacySetting | undefined {
  if (displaySettings.has(property)) {
    const named = language_name !== undefined && { language_name }
    return { type: 'update_display_settings', user, setting_name: property, setting, ...named }
  }
  if (notificationSettings.has(property)) {
    return { type: 'update_global_notifications', user, notification_name: property, setting }
  }
  return undefined
}
