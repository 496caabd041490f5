import type { Db } from '../../storage/index.ts'
import { allows, can } from '../access/permissions.ts'
import type { Caller, Context, Tx } from '../kernel/context.ts'
import { badRequest, notPermitted } from '../kernel/errors.ts'
import { dialectOf } from '../kernel/store.ts'
import { type Group, type GroupSettingName, groupSetting, groupSettings } from './settings.ts'

/** Returns a group, active or not. Every user may read groups. */
export async function accessGroup(db: Db, group_id: number): Promise<Group> {
  const group = await db.selectFrom('user_group').selectAll().where('id', '=', group_id).executeTakeFirst()
  if (!group) throw badRequest('Invalid user group')
  return group
}

/** Returns these groups, active or not. Throws for an unknown one. */
export async function accessGroups(
  { chat, db }: Pick<Context, 'chat' | 'db'>,
  ids: readonly number[],
): Promise<Group[]> {
  if (ids.length === 0) return []
  const requested = [...new Set(ids)]
  const groups = await db
    .selectFrom('user_group')
    .selectAll()
    .where('id', 'in', dialectOf(chat).idsIn(requested))
    .execute()
  const found = new Set(groups.map((group) => group.id))
  const missing = requested.find((id) => !found.has(id))
  if (missing !== undefined) throw badRequest(`Invalid user group ID: ${missing}`)
  return groups
}

/** Returns these groups, for use. Throws for an unknown or deactivated one. */
export async function accessGroupsInUse(tx: Caller, ids: readonly number[]): Promise<Group[]> {
  const groups = await accessGroups(tx, ids)
  groups.forEach(requireInUse)
  return groups
}

/** Returns these active users. Throws for an unknown or deactivated one. */
export async function requireActiveUsers({ chat, db }: Caller, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await db
    .selectFrom('user')
    .select('id')
    .where('id', 'in', dialectOf(chat).idsIn(ids))
    .where('is_active', '=', 1)
    .where('is_system_bot', '=', 0)
    .execute()
  const found = new Set(rows.map((row) => row.id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw badRequest(`Invalid user ID: ${missing}`)
}

const requireInUse = (group: Group): void => {
  if (group.is_deactivated) throw badRequest('User group is deactivated.')
}

/** Returns a group that can be changed: active and not a system group. */
export async function accessOrdinaryGroup(tx: Tx, group_id: number): Promise<Group> {
  const group = await accessChangeableGroup(tx, group_id)
  requireInUse(group)
  return group
}

/** The same, deactivated or not: who is in a group can be changed at any time. */
export async function accessChangeableGroup(tx: Tx, group_id: number): Promise<Group> {
  const group = await accessGroup(tx.db, group_id)
  if (group.is_system_group) throw notPermitted()
  return group
}

/** Returns whether the caller has one of these permissions on the group. Its managers have all of them. */
async function hasGroupPermission(caller: Caller, group: Group, ...permissions: GroupSettingName[]): Promise<boolean> {
  if (await can(caller, 'can_manage_all_groups')) return true
  for (const permission of new Set<GroupSettingName>(['can_manage_group', ...permissions])) {
    if (await allows(caller, groupSetting(group, permission), groupSettings[permission])) return true
  }
  return false
}

export async function requireGroupPermission(
  caller: Caller,
  group: Group,
  ...permissions: GroupSettingName[]
): Promise<void> {
  if (!(await hasGroupPermission(caller, group, ...permissions))) throw notPermitted()
}
