import { type GroupGraph, groupGraph, groupSettingView } from '../access/group-graph.ts'
import { systemMembers } from '../access/group-members.ts'
import { groupBy } from '../kernel/base/lists.ts'
import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import type { GroupSettingValue, GroupView } from '../shapes/group.ts'
import { type Group, type GroupSettingName, groupSetting, groupSettingNames } from './settings.ts'

/** The views of these groups, in the same order; the number of queries does not depend on how many there are. */
export async function groupViews(caller: Caller, groups: readonly Group[]): Promise<GroupView[]> {
  if (groups.length === 0) return []
  const graph = await groupGraph.get(caller)
  const members = await directMembers(caller, groups)
  const subgroups = await directSubgroups(caller, groups)
  return groups.map((group) => groupView(graph, group, members.get(group.id) ?? [], subgroups.get(group.id) ?? []))
}

/** A group with its direct members and subgroups, both ascending. */
export function groupView(graph: GroupGraph, group: Group, members: number[], subgroups: number[]): GroupView {
  const settings = groupSettingNames.map((name) => [name, groupSettingView(graph, groupSetting(group, name))])
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    members,
    direct_subgroup_ids: subgroups,
    creator_id: group.creator_id,
    date_created: group.date_created,
    is_system_group: group.is_system_group === 1,
    deactivated: group.is_deactivated === 1,
    // Every setting is present: the keys are the ones of the type.
    ...(Object.fromEntries(settings) as Record<GroupSettingName, GroupSettingValue>),
  }
}

async function directMembers(caller: Caller, groups: readonly Group[]): Promise<Map<number, number[]>> {
  const { chat, db } = caller
  const rows = await db
    .selectFrom('user_group_member')
    .innerJoin('user', 'user.id', 'user_group_member.user_id')
    .select(['user_group_member.group_id', 'user_group_member.user_id'])
    .where('user_group_member.group_id', 'in', dialectOf(chat).idsIn(groups.map((group) => group.id)))
    .where('user.is_active', '=', 1)
    .orderBy('user_group_member.user_id')
    .execute()
  const members = gathered(rows.map((row) => [row.group_id, row.user_id]))
  const system = groups.filter((group) => group.is_system_group)
  if (system.length === 0) return members
  const byName = await systemMembers(
    caller,
    system.map((group) => group.name as SystemGroupName),
  )
  for (const { id, name } of system) members.set(id, byName.get(name as SystemGroupName)!)
  return members
}

async function directSubgroups({ chat, db }: Caller, groups: readonly Group[]): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('user_group_subgroup')
    .selectAll()
    .where('group_id', 'in', dialectOf(chat).idsIn(groups.map((group) => group.id)))
    .orderBy('subgroup_id')
    .execute()
  return gathered(rows.map((row) => [row.group_id, row.subgroup_id]))
}

const gathered = (pairs: readonly (readonly [number, number])[]): Map<number, number[]> =>
  groupBy(
    pairs,
    ([key]) => key,
    ([, value]) => value,
  )
