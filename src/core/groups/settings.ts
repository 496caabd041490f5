import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { UserGroupTable } from '../../storage/index.ts'
import { type GroupSettingValue, groupSettingValue, type SystemGroupName } from '../settings/group-setting-value.ts'

export type Group = Selectable<UserGroupTable>

/** Permissions a group has of its own: who has them at first, and whether guests may. */
export const groupSettings = {
  can_add_members_group: { initially: 'creator', everyone: false },
  can_join_group: { initially: 'role:nobody', everyone: false },
  can_leave_group: { initially: 'role:everyone', everyone: true },
  can_manage_group: { initially: 'creator', everyone: false },
  can_mention_group: { initially: 'role:everyone', everyone: true },
  can_remove_members_group: { initially: 'role:nobody', everyone: false },
} as const satisfies Record<string, { initially: SystemGroupName | 'creator'; everyone: boolean }>

export type GroupSettingName = keyof typeof groupSettings
export type GroupSettings = Partial<Record<GroupSettingName, GroupSettingValue>>

export const groupSettingNames = Object.keys(groupSettings) as GroupSettingName[]

/** Parameters named after the settings, all optional. */
const oneEach = <S>(schema: S) =>
  Object.fromEntries(groupSettingNames.map((name) => [name, schema])) as Record<GroupSettingName, S>

export const newSettingParams = oneEach(v.nullish(groupSettingValue))
/** A change says what it replaces, if the client cares that nobody else changed it meanwhile. */
export const changedSettingParams = oneEach(
  v.nullish(v.object({ new: groupSettingValue, old: v.nullish(groupSettingValue) })),
)

type WithSettings = Pick<Group, 'settings' | 'is_system_group' | 'creator_id'>

/** Who has this permission on the group. Nobody has any on a system group. */
export function groupSetting(group: WithSettings, name: GroupSettingName): GroupSettingValue | SystemGroupName {
  if (group.is_system_group) return 'role:nobody'
  const stored = (JSON.parse(group.settings) as GroupSettings)[name]
  if (stored !== undefined) return stored
  const { initially } = groupSettings[name]
  if (initially !== 'creator') return initially
  return group.creator_id === null ? 'role:nobody' : { direct_members: [group.creator_id], direct_subgroups: [] }
}
