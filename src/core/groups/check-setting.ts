import type { Tx } from '../context.ts'
import { badRequest } from '../errors.ts'
import { uniqueSorted } from '../lists.ts'
import type { GroupSettingValue } from '../settings/group-setting-value.ts'
import { accessGroupsInUse, requireActiveUsers } from './access.ts'

export interface SettingRules {
  /** Whether guests may be given it. */
  everyone?: boolean
  /** Whether people who are not signed in may be given it. */
  internet?: boolean
}

/**
 * A permission's new value, the organization's, a stream's or a group's, as it is stored: its people and groups exist
 * and are in use, each once. An unnamed set that is just one group becomes that group.
 */
export async function checkGroupSetting(
  tx: Tx,
  name: string,
  value: GroupSettingValue,
  { everyone = true, internet = false }: SettingRules = {},
): Promise<GroupSettingValue> {
  const members = typeof value === 'number' ? [] : uniqueSorted(value.direct_members)
  const subgroups = typeof value === 'number' ? [value] : uniqueSorted(value.direct_subgroups)
  await requireActiveUsers(tx, members)
  const refused = [!everyone && 'role:everyone', !internet && 'role:internet']
  for (const group of await accessGroupsInUse(tx, subgroups)) {
    if (group.is_system_group && refused.includes(group.name)) {
      throw badRequest(`'${name}' setting cannot be set to '${group.name}' group.`)
    }
  }
  if (members.length === 0 && subgroups.length === 1) return subgroups[0]!
  return { direct_members: members, direct_subgroups: subgroups }
}

/** Whether two values name the same people and groups. */
export function sameSetting(a: GroupSettingValue, b: GroupSettingValue): boolean {
  const key = (value: GroupSettingValue): string => {
    const { direct_members, direct_subgroups } =
      typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value
    return `${uniqueSorted(direct_members)}/${uniqueSorted(direct_subgroups)}`
  }
  return key(a) === key(b)
}
