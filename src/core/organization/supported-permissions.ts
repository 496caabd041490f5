import { groupSettings } from '../groups/settings.ts'
import { organizationSettings } from '../settings/organization-table.ts'
import type { SettingsTable } from '../settings/setting.ts'
import { streamSettings } from '../streams/settings.ts'

/** The values that clients may offer for each permission of a table. */
const permissionsOf = (table: SettingsTable, default_for_system_groups: string | null = null) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, setting]) => {
      if (setting.kind !== 'permission') return []
      const { everyone, nobody, system } = setting.rules
      const shown = {
        require_system_group: system !== undefined,
        allow_internet_group: false,
        allow_nobody_group: nobody,
        allow_everyone_group: everyone,
        default_group_name: setting.initial,
        default_for_system_groups,
        allowed_system_groups: [...(system ?? [])],
      }
      return [[name, shown] as const]
    }),
  )

/** Every permission whose value is a group, from the settings tables of the organization, streams and groups. */
export const supportedPermissions = {
  realm: permissionsOf(organizationSettings),
  stream: permissionsOf(streamSettings),
  group: permissionsOf(groupSettings, 'role:nobody'),
}
