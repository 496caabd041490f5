import { after, type Soon } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Caller } from '../kernel/context.ts'
import { notPermitted } from '../kernel/errors.ts'
import { isGuest } from '../kernel/roles.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import type { PermissionKind } from '../settings/kinds.ts'
import { settingsOf } from '../settings/organization.ts'
import { organizationSettings, type Permission, type Settings } from '../settings/organization-table.ts'
import type { GroupSettingValue } from '../shapes/group.ts'
import { groupGraph, isAllowed } from './group-graph.ts'

/** Returns whether the organization's settings allow the caller to do this. The only place that decides. */
export const can = (caller: Caller, permission: Permission): Soon<boolean> =>
  after(settingsOf(caller), (settings) => allows(caller, settings[permission], organizationSettings[permission]))

/** Returns whether the value of a permission of the organization, a stream or a group includes the caller. */
export function allows(
  caller: Caller,
  value: GroupSettingValue | SystemGroupName,
  { rules }: Pick<PermissionKind, 'rules'>,
): Soon<boolean> {
  // A shortcut for every send: this role includes every user.
  if (value === 'role:everyone') return true
  if (!rules.everyone && isGuest(caller.user)) return false
  return after(groupGraph.get(caller), (graph) =>
    after(settingsOf(caller), (settings) => isAllowed(graph, value, caller.user, isFullMember(caller, settings))),
  )
}

export async function requirePermission(caller: Caller, permission: Permission, message?: string): Promise<void> {
  if (!(await can(caller, permission))) throw notPermitted(message)
}

/** Returns whether the caller is past the organization's waiting period for new members. */
const isFullMember = (caller: Caller, { waiting_period_threshold: days }: Settings): boolean =>
  seconds(caller.chat.clock) - caller.user.date_joined >= days * 86_400
