import type { Selectable } from 'kysely'
import type { UserGroupTable } from '../../storage/index.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import { permission } from '../settings/kinds.ts'
import { namesOf, type SettingsTable, server } from '../settings/setting.ts'
import type { GroupSettingValue } from '../shapes/group.ts'

export type Group = Selectable<UserGroupTable>

const everyone = { everyone: true }

/** A group's own permissions and their defaults. */
export const groupSettings = {
  can_add_members_group: server(permission('role:nobody', {}, 'group_creator')),
  can_join_group: server(permission('role:nobody')),
  can_leave_group: server(permission('role:everyone', everyone)),
  can_manage_group: server(permission('role:nobody', {}, 'group_creator')),
  can_mention_group: server(permission('role:everyone', everyone)),
  can_remove_members_group: server(permission('role:nobody')),
} satisfies SettingsTable

export type GroupSettingName = keyof typeof groupSettings
export type GroupSettings = Partial<Record<GroupSettingName, GroupSettingValue>>

export const groupSettingNames = namesOf(groupSettings)

type WithSettings = Pick<Group, 'settings' | 'is_system_group' | 'creator_id'>

/** Returns who has this permission on the group. No one has any on a system group. */
export function groupSetting(group: WithSettings, name: GroupSettingName): GroupSettingValue | SystemGroupName {
  if (group.is_system_group) return 'role:nobody'
  const stored = (JSON.parse(group.settings) as GroupSettings)[name]
  if (stored !== undefined) return stored
  const setting = groupSettings[name]
  if (setting.initial !== 'group_creator' || group.creator_id === null) return setting.default
  return { direct_members: [group.creator_id], direct_subgroups: [] }
}
