import { groupGraph, groupSettingView } from '../access/group-graph.ts'
import { uniqueSorted } from '../kernel/base/lists.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import type { GroupSettingChange, SystemGroupName } from '../settings/group-setting-value.ts'
import type { PermissionKind } from '../settings/kinds.ts'
import { cannotBeChanged, type Setting } from '../settings/setting.ts'
import type { GroupSettingValue } from '../shapes/group.ts'
import { accessGroupsInUse, requireActiveUsers } from './access.ts'
import type { Group } from './settings.ts'

/**
 * Checks a new value for a permission of the organization, a stream or a group, and returns it in its stored form: its
 * users and groups exist and are active, each once. An unnamed set with a single group becomes that group, and an
 * empty one role:nobody.
 *
 * @throws BAD_REQUEST or SYSTEM_GROUP_REQUIRED for a group that the setting's rules exclude
 */
export async function checkPermission(
  caller: Caller,
  name: string,
  setting: Setting & PermissionKind,
  value: GroupSettingValue,
): Promise<GroupSettingValue> {
  const graph = await groupGraph.get(caller)
  const people = typeof value === 'number' ? [] : uniqueSorted(value.direct_members)
  const named = typeof value === 'number' ? [value] : uniqueSorted(value.direct_subgroups)
  const groups = people.length + named.length === 0 ? [graph.systemId.get('role:nobody')!] : named
  await requireActiveUsers(caller, people)
  checkRules(name, setting.rules, people, await accessGroupsInUse(caller, groups))
  const checked =
    people.length === 0 && groups.length === 1 ? groups[0]! : { direct_members: people, direct_subgroups: groups }
  if (setting.effect === 'none' && !sameSetting(checked, groupSettingView(graph, setting.default))) {
    throw cannotBeChanged(name, setting)
  }
  return checked
}

function checkRules(
  name: string,
  { everyone, nobody, system }: PermissionKind['rules'],
  people: readonly number[],
  groups: readonly Group[],
): void {
  const refused: string[] = [
    'role:internet',
    ...(everyone ? [] : ['role:everyone']),
    ...(nobody ? [] : ['role:nobody']),
  ]
  if (system && (people.length > 0 || groups.some((group) => !group.is_system_group) || groups.length > 1)) {
    throw new ChatError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`)
  }
  for (const group of groups) {
    const excluded = system && !system.includes(group.name as SystemGroupName)
    if (group.is_system_group && (excluded || refused.includes(group.name))) {
      throw badRequest(`'${name}' setting cannot be set to '${group.name}' group.`)
    }
  }
}

/**
 * Checks a change that may name the value it replaces.
 *
 * @throws EXPECTATION_MISMATCH if the current value differs
 */
export async function checkPermissionChange(
  caller: Caller,
  name: string,
  setting: Setting & PermissionKind,
  change: GroupSettingChange,
  present: GroupSettingValue | SystemGroupName,
): Promise<GroupSettingValue> {
  if (change.old != null && !sameSetting(change.old, groupSettingView(await groupGraph.get(caller), present))) {
    throw new ChatError('EXPECTATION_MISMATCH', "'old' value does not match the expected value.")
  }
  return checkPermission(caller, name, setting, change.new)
}

/** Returns whether two values consist of the same users and groups. */
export function sameSetting(a: GroupSettingValue, b: GroupSettingValue): boolean {
  const key = (value: GroupSettingValue): string => {
    const { direct_members, direct_subgroups } =
      typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value
    return `${uniqueSorted(direct_members)}/${uniqueSorted(direct_subgroups)}`
  }
  return key(a) === key(b)
}
