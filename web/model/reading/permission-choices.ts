import type { ClientState } from '../../../src/client/index.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import type { Session } from '../state/session.ts'
import { roleGroups, userGroups } from './groups.ts'

/** What a permission belongs to: the organization, a stream or a group. */
export type PermissionHome = keyof ClientState['server_supported_permission_settings']
type Rules = ClientState['server_supported_permission_settings'][PermissionHome][string]

/** Which groups a permission may be given to; undefined for one that this server does not know. */
export const permissionRules = (session: Session, of: PermissionHome, name: string): Rules | undefined =>
  session.read('organization').server_supported_permission_settings[of][name]

/** The groups that can be given a permission, with their display names. */
export function permissionChoices(session: Session, rules: Rules): (readonly [id: number, label: string])[] {
  const byName = new Map(session.read('groups').realm_user_groups.map((group) => [group.name, group]))
  const ofRoles = Object.entries(roleGroups).flatMap(([name, label]) => {
    const group = byName.get(name)
    return group && isAllowed(rules, name) ? [[group.id, label] as const] : []
  })
  if (rules.require_system_group) return ofRoles
  return [...ofRoles, ...userGroups(session).map(({ id, name }) => [id, pageTexts.permissions.group(name)] as const)]
}

function isAllowed(rules: Rules, name: string): boolean {
  if (rules.allowed_system_groups.length > 0) return rules.allowed_system_groups.includes(name)
  if (name === 'role:everyone') return rules.allow_everyone_group
  return name !== 'role:nobody' || rules.allow_nobody_group
}
