import type { Db } from '../../storage/index.ts'
import { groupBy } from '../kernel/base/lists.ts'
import { defineCache } from '../kernel/cache.ts'
import { roles } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import type { GroupSettingValue } from '../shapes/group.ts'

/** The graph of groups in memory. It is small, read at every permission check and rarely changed. */
export interface GroupGraph {
  /** Direct members of ordinary groups. Membership in system groups follows from roles. */
  readonly members: ReadonlyMap<number, ReadonlySet<number>>
  readonly subgroups: ReadonlyMap<number, readonly number[]>
  readonly systemId: ReadonlyMap<string, number>
  readonly systemName: ReadonlyMap<number, SystemGroupName>
}

export const groupGraph = defineCache('groups', loadGraph)

export async function loadGraph(db: Db): Promise<GroupGraph> {
  const members = new Map<number, Set<number>>()
  for (const row of await db.selectFrom('user_group_member').selectAll().execute()) {
    const set = members.get(row.group_id) ?? new Set()
    members.set(row.group_id, set.add(row.user_id))
  }
  const subgroups = await loadSubgroups(db)
  const systemId = new Map<string, number>()
  const systemName = new Map<number, SystemGroupName>()
  const system = await db.selectFrom('user_group').select(['id', 'name']).where('is_system_group', '=', 1).execute()
  for (const row of system) {
    systemId.set(row.name, row.id)
    systemName.set(row.id, row.name as SystemGroupName)
  }
  return { members, subgroups, systemId, systemName }
}

/** Loads the direct subgroups of every group that has any. */
export async function loadSubgroups(db: Db): Promise<Map<number, number[]>> {
  const rows = await db.selectFrom('user_group_subgroup').selectAll().execute()
  return groupBy(
    rows,
    (row) => row.group_id,
    (row) => row.subgroup_id,
  )
}

/**
 * Returns whether a user is a direct member of a system group.
 *
 * @param fullMember - whether the user is past the organization's waiting period
 */
export function isDirectSystemMember(name: SystemGroupName, user: Pick<User, 'role'>, fullMember: boolean): boolean {
  switch (name) {
    case 'role:owners':
      return user.role === roles.owner
    case 'role:administrators':
      return user.role === roles.administrator
    case 'role:moderators':
      return user.role === roles.moderator
    case 'role:fullmembers':
      return user.role === roles.member && fullMember
    case 'role:members':
      return user.role === roles.member
    case 'role:everyone':
      return user.role === roles.guest
    default:
      return false
  }
}

/** Returns these groups and all their direct and indirect subgroups. */
export function withSubgroups({ subgroups }: Pick<GroupGraph, 'subgroups'>, group_ids: Iterable<number>): Set<number> {
  // Iterating a set also visits members added on the way, each once, so a cycle doesn't loop forever.
  const found = new Set(group_ids)
  for (const id of found) for (const inner of subgroups.get(id) ?? []) found.add(inner)
  return found
}

/** Whether a user is a member of a group, directly or through its subgroups. */
export function isInGroup(
  graph: GroupGraph,
  group_id: number,
  user: Pick<User, 'id' | 'role'>,
  fullMember: boolean,
): boolean {
  const seen = new Set<number>()
  const queue = [group_id]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    const system = graph.systemName.get(next)
    if (system ? isDirectSystemMember(system, user, fullMember) : graph.members.get(next)?.has(user.id)) return true
    queue.push(...(graph.subgroups.get(next) ?? []))
  }
  return false
}

/** Whether a permission's value includes this user. */
export function isAllowed(
  graph: GroupGraph,
  value: GroupSettingValue | SystemGroupName,
  user: Pick<User, 'id' | 'role'>,
  fullMember: boolean,
): boolean {
  if (typeof value === 'object') {
    return (
      value.direct_members.includes(user.id) ||
      value.direct_subgroups.some((group) => isInGroup(graph, group, user, fullMember))
    )
  }
  const group = typeof value === 'string' ? graph.systemId.get(value) : value
  return group !== undefined && isInGroup(graph, group, user, fullMember)
}

/** A permission's value as the API shows it: the default's name becomes the group's id. */
export function groupSettingView(graph: GroupGraph, value: GroupSettingValue | SystemGroupName): GroupSettingValue {
  return typeof value === 'string' ? graph.systemId.get(value)! : value
}
