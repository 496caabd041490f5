import { seconds } from '../kernel/base/clock.ts'
import type { Caller } from '../kernel/context.ts'
import { notPermitted } from '../kernel/errors.ts'
import { isGuest } from '../kernel/roles.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import type { PermissionKind } from '../settings/kinds.ts'
import { settingsOf } from '../settings/organization.ts'
import { organizationSettings, type Permission } from '../settings/organization-table.ts'
import type { GroupSettingValue } from '../shapes/group.ts'
import { groupGraph, isAllowed } from './group-graph.ts'

/** Returns whether the organization's settings allow the caller to do this. The only place that decides. */
export async function can(caller: Caller, permission: Permission): Promise<boolean> {
  return allows(caller, (await settingsOf(caller))[permission], organizationSettings[permission])
}

/** Returns whether the value of a permission of the organization, a stream or a group includes the caller. */
export async function allows(
  caller: Caller,
  value: GroupSettingValue | SystemGroupName,
  { rules }: Pick<PermissionKind, 'rules'>,
): Promise<boolean> {
  // A shortcut for every send: this role includes every user.
  if (value === 'role:everyone') return true
  if (!rules.everyone && isGuest(caller.user)) return false
  return isAllowed(await groupGraph.get(caller), value, caller.user, await isFullMember(caller))
}

export async function requirePermission(caller: Caller, permission: Permission, message?: string): Promise<void> {
  if (!(await can(caller, permission))) throw notPermitted(message)
}

/** Returns whether the caller is past the organization's waiting period for new members. */
async function isFullMember(caller: Caller): Promise<boolean> {
  const { waiting_period_threshold: days } = await settingsOf(caller)
  return seconds(caller.chat.clock) - caller.user.date_joined >= days * 86_400
}
