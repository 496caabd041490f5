import type { ClientState } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'

type Rules = ClientState['server_supported_permission_settings']['realm'][string]
type Group = ClientState['realm_user_groups'][number]

/** The groups of everybody from a role up, from the most people. */
const systemGroups: Readonly<Record<string, string>> = {
  'role:everyone': 'Everybody, guests too',
  'role:members': 'Members',
  'role:fullmembers': 'Full members',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
}

/** The groups that may be given a permission, with what they are called. */
export function permissionChoices(session: Session, rules: Rules): (readonly [id: number, label: string])[] {
  const { realm_user_groups } = session.read('groups')
  const byName = new Map(realm_user_groups.map((group) => [group.name, group]))
  const ofRoles = Object.entries(systemGroups).flatMap(([name, label]) => {
    const group = byName.get(name)
    return group && isAllowed(rules, name) ? [[group.id, label] as const] : []
  })
  if (rules.require_system_group) return ofRoles
  const others = realm_user_groups
    .filter((group: Group) => !group.is_system_group && !group.deactivated)
    .map(({ id, name }) => [id, `Group “${name}”`] as const)
  return [...ofRoles, ...others]
}

function isAllowed(rules: Rules, name: string): boolean {
  if (rules.allowed_system_groups.length > 0) return rules.allowed_system_groups.includes(name)
  if (name === 'role:everyone') return rules.allow_everyone_group
  return name !== 'role:nobody' || rules.allow_nobody_group
}
