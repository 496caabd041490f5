import * as v from 'valibot'
import { isUnset } from '../../storage/index.ts'
import { groupGraph } from '../access/group-graph.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { ChatError } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import { settingsOf } from '../settings/organization.ts'
import { isPermission, type Permission, settingNames } from '../settings/organization-table.ts'
import type { GroupSettingValue } from '../shapes/group.ts'
import { empty } from '../shapes/values.ts'
import { accessOrdinaryGroup, requireGroupPermission } from './access.ts'
import type { Group, GroupSettingName, GroupSettings } from './settings.ts'
import { storedGroups } from './stored.ts'

/**
 * POST /user_groups/{id}/deactivate: deactivates a group. Old mentions refer to it, so it is never deleted.
 *
 * @throws BAD_REQUEST without the permission
 * @throws BAD_REQUEST "Invalid user group"
 * @throws CANNOT_DEACTIVATE_GROUP_IN_USE with the uses in `objections`
 */
export const deactivateGroup = action(
  {
    name: 'deactivateGroup',
    summary: 'Deactivate a user group',
    audit: { subject: 'group', id: ({ user_group_id }) => user_group_id },
    params: v.object({ user_group_id: described(id, 'ID of the user group.') }),
    result: empty,
    idempotencyKey: 'one write',
    errors: ['CANNOT_DEACTIVATE_GROUP_IN_USE'],
  },
  async (caller, { user_group_id }) => {
    return caller.write(async (tx) => {
      const group = await accessOrdinaryGroup(tx, user_group_id)
      await requireGroupPermission(tx, group, 'can_manage_group')
      await deactivateUnused(tx, group)
      return {}
    })
  },
)

/** Deactivates a group. Throws CANNOT_DEACTIVATE_GROUP_IN_USE with its uses. */
export async function deactivateUnused(tx: Tx, group: Group): Promise<void> {
  const objections = await usesOf(tx, group)
  if (objections.length > 0) {
    throw new ChatError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', { objections })
  }
  await tx.db.updateTable('user_group').set({ is_deactivated: 1 }).where('id', '=', group.id).execute()
  groupGraph.invalidate(tx)
  storedGroups.invalidate(tx)
  await emit(tx, { type: 'user_group', op: 'update', group_id: group.id, data: { deactivated: true } }, everyone)
}

type Permissions<N extends string> = { readonly [Name in N]?: GroupSettingValue | SystemGroupName }

/** A use of a group, with its API name. */
type Use =
  | { type: 'subgroup'; supergroup_ids: number[] }
  | { type: 'channel'; channel_id: number; settings: string[] }
  | { type: 'user_group'; group_id: number; settings: GroupSettingName[] }
  | { type: 'realm'; settings: Permission[] }

/** Returns where the group is in use: its supergroups, and the permissions it is part of. */
async function usesOf(tx: Tx, group: Group): Promise<Use[]> {
  const uses: Use[] = []
  const supergroups = await tx.db
    .selectFrom('user_group_subgroup')
    .innerJoin('user_group', 'user_group.id', 'user_group_subgroup.group_id')
    .select('user_group.id')
    .where('user_group_subgroup.subgroup_id', '=', group.id)
    .where('user_group.is_deactivated', '=', isUnset)
    .orderBy('user_group.id')
    .execute()
  const supergroup_ids = supergroups.map((outer) => outer.id)
  if (supergroup_ids.length > 0) uses.push({ type: 'subgroup', supergroup_ids })

  const streams = await tx.db
    .selectFrom('stream')
    .select(['id', 'settings'])
    .where('is_archived', '=', isUnset)
    .where('settings', '!=', '{}')
    .execute()
  for (const stream of streams) {
    const settings = namesOfUses(JSON.parse(stream.settings) as Permissions<string>, group.id)
    if (settings.length > 0) uses.push({ type: 'channel', channel_id: stream.id, settings })
  }

  const groups = await tx.db
    .selectFrom('user_group')
    .select(['id', 'settings'])
    .where('is_deactivated', '=', isUnset)
    .where('id', '!=', group.id)
    .where('settings', '!=', '{}')
    .execute()
  for (const other of groups) {
    const settings = namesOfUses(JSON.parse(other.settings) as GroupSettings, group.id)
    if (settings.length > 0) uses.push({ type: 'user_group', group_id: other.id, settings })
  }

  const organization = await settingsOf(tx)
  const permissions = settingNames.filter(isPermission).map((name) => [name, organization[name]] as const)
  const settings = namesOfUses(Object.fromEntries(permissions) as Permissions<Permission>, group.id)
  if (settings.length > 0) uses.push({ type: 'realm', settings })
  return uses
}

/** Returns the permissions whose value is or contains the group. */
function namesOfUses<N extends string>(settings: Permissions<N>, group_id: number): N[] {
  const names = Object.keys(settings) as N[]
  return names.filter((name) => {
    const value = settings[name]
    return typeof value === 'object' ? value.direct_subgroups.includes(group_id) : value === group_id
  })
}
