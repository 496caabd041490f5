import type { ClientState } from '../../../src/client/index.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { compareNames } from '../state/compare-names.ts'
import type { Session } from '../state/session.ts'

export type Group = ClientState['realm_user_groups'][number]

/** The groups of everybody from a role up, from the most people, as they are called here. */
export const roleGroups: Readonly<Record<string, string>> = {
  'role:everyone': pieceTexts.groups.everyone,
  'role:members': pieceTexts.groups.members,
  'role:fullmembers': pieceTexts.groups.fullMembers,
  'role:moderators': pieceTexts.groups.moderators,
  'role:administrators': pieceTexts.groups.administrators,
  'role:owners': pieceTexts.groups.owners,
  'role:nobody': pieceTexts.groups.noOne,
}

/** The groups that people have made and not deactivated, by name. */
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

/** A group and those inside of it, of any depth. */
export function groupsWithin(state: ClientState, group_id: number, found = new Set<number>()): Set<number> {
  if (found.has(group_id)) return found
  found.add(group_id)
  const group = state.realm_user_groups.find(({ id }) => id === group_id)
  for (const id of group?.direct_subgroup_ids ?? []) groupsWithin(state, id, found)
  return found
}

/** Everybody who belongs to a group, by other groups too. */
export function membersOf(state: ClientState, group_id: number): number[] {
  const within = groupsWithin(state, group_id)
  return [...new Set(state.realm_user_groups.flatMap(({ id, members }) => (within.has(id) ? members : [])))]
}
