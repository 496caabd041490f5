import type { ClientState } from '../../../src/client/index.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { compareNames } from '../state/compare-names.ts'
import type { Session } from '../state/session.ts'

export type Group = ClientState['realm_user_groups'][number]

/** Names of the system groups, largest first. */
export const roleGroups: Readonly<Record<string, string>> = {
  'role:everyone': pieceTexts.groups.everyone,
  'role:members': pieceTexts.groups.members,
  'role:fullmembers': pieceTexts.groups.fullMembers,
  'role:moderators': pieceTexts.groups.moderators,
  'role:administrators': pieceTexts.groups.administrators,
  'role:owners': pieceTexts.groups.owners,
  'role:nobody': pieceTexts.groups.noOne,
}

/** Returns the active groups that people have created, by name. */
export function userGroups(session: Session): Group[] {
  return session
    .read('groups')
    .realm_user_groups.filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .sort((a, b) => compareNames(a.name, b.name))
}

export function groupName(session: Session, group_id: number): string {
  const group = session.read('groups').realm_user_groups.find(({ id }) => id === group_id)
  if (!group) return pieceTexts.groups.unknown
  return group.is_system_group ? (roleGroups[group.name] ?? group.name) : group.name
}

/** Returns a group and all its subgroups. */
export function groupsWithin(state: ClientState, group_id: number, found = new Set<number>()): Set<number> {
  if (found.has(group_id)) return found
  found.add(group_id)
  const group = state.realm_user_groups.find(({ id }) => id === group_id)
  for (const id of group?.direct_subgroup_ids ?? []) groupsWithin(state, id, found)
  return found
}

/** Returns all members of a group, direct and indirect. */
export function membersOf(state: ClientState, group_id: number): number[] {
  const within = groupsWithin(state, group_id)
  return [...new Set(state.realm_user_groups.flatMap(({ id, members }) => (within.has(id) ? members : [])))]
}
