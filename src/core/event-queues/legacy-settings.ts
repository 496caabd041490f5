import { displaySettings, notificationSettings } from '../settings/legacy-names.ts'
import type { User } from '../user.ts'
import type { EventVariant } from './variant.ts'

/** A change of a setting as those clients take it; none for settings they do not know. */
export function legacySettingVariants(event: { property: string; value: unknown }, { email }: User): EventVariant[] {
  const { property, value: setting } = event
  if (displaySettings.has(property)) {
    const type = 'update_display_settings'
    return [{ type, variant: type, idOffset: 1, make: () => ({ type, user: email, setting_name: property, setting }) }]
  }
  if (notificationSettings.has(property)) {
    const type = 'update_global_notifications'
    const make = () => ({ type, user: email, notification_name: property, setting })
    return [{ type, variant: type, idOffset: 1, make }]
  }
  return []
}
