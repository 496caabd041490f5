import * as v from 'valibot'
import { groupGraph, loadSubgroups, withSubgroups } from '../access/group-graph.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { chunked, uniqueSorted } from '../kernel/base/lists.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, described, id, ids } from '../kernel/fields.ts'
import { dialectOf } from '../kernel/store.ts'
import { empty } from '../shapes/values.ts'
import {
  accessChangeableGroup,
  accessGroup,
  accessGroups,
  accessGroupsInUse,
  requireGroupPermission,
} from './access.ts'
import type { Group } from './settings.ts'

/**
 * POST /user_groups/{id}/subgroups: adds and removes subgroups, all or nothing.
 *
 * @throws BAD_REQUEST without the permission
 * @throws BAD_REQUEST "Invalid user group", and for a group that already is a subgroup, would contain itself, or isn't
 * a subgroup to remove
 */
export const changeSubgroups = action(
  {
    name: 'changeSubgroups',
    summary: 'Update subgroups of a user group',
    audit: { subject: 'group', id: ({ user_group_id }) => user_group_id },
    params: v.object({
      user_group_id: described(id, 'ID of the user group.'),
      add: described(v.nullish(ids), 'IDs of groups to add as subgroups.'),
      delete: described(v.nullish(ids), 'IDs of subgroups to remove.'),
    }),
    result: empty,
    idempotencyKey: 'one write',
  },
  async (caller, { user_group_id, add, delete: remove }) => {
    if (!add?.length && !remove?.length) {
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
    }
    return caller.write(async (tx) => {
      const group = await accessChangeableGroup(tx, user_group_id)
      await addSubgroups(tx, group, uniqueSorted(add ?? []))
      await removeSubgroups(tx, group, uniqueSorted(remove ?? []))
      return {}
    })
  },
)

export async function addSubgroups(tx: Tx, group: Group, subgroup_ids: number[]): Promise<void> {
  if (subgroup_ids.length === 0) return
  await requireGroupPermission(tx, group, 'can_add_members_group')
  await accessGroupsInUse(tx, subgroup_ids)
  if (subgroup_ids.includes(group.id)) throw badRequest('A user group cannot be a subgroup of itself.')
  // From the tables instead of the cache, because two changes that are harmless alone may close a cycle together.
  const subgroups = await loadSubgroups(tx.db)
  const already = subgroup_ids.find((id) => subgroups.get(group.id)?.includes(id))
  if (already !== undefined) throw badRequest(`User group ${already} is already a subgroup of this group.`)
  if (withSubgroups({ subgroups }, subgroup_ids).has(group.id)) {
    throw badRequest(`User group ${group.id} is already a subgroup of one of the passed subgroups.`)
  }
  await insertSubgroups(tx, group.id, subgroup_ids)
  groupGraph.invalidate(tx)
  await announce(tx, 'add_subgroups', group, subgroup_ids)
}

export async function removeSubgroups(tx: Tx, group: Group, subgroup_ids: number[]): Promise<void> {
  if (subgroup_ids.length === 0) return
  await requireGroupPermission(tx, group, 'can_remove_members_group')
  await accessGroups(tx, subgroup_ids)
  const subgroups = await loadSubgroups(tx.db)
  const stranger = subgroup_ids.find((id) => !subgroups.get(group.id)?.includes(id))
  if (stranger !== undefined) throw badRequest(`User group ${stranger} is not a subgroup of this group.`)
  await tx.db
    .deleteFrom('user_group_subgroup')
    .where('group_id', '=', group.id)
    .where('subgroup_id', 'in', dialectOf(tx.chat).idsIn(subgroup_ids))
    .execute()
  groupGraph.invalidate(tx)
  await announce(tx, 'remove_subgroups', group, subgroup_ids)
}

const announce = (tx: Tx, op: 'add_subgroups' | 'remove_subgroups', group: Group, direct_subgroup_ids: number[]) =>
  emit(tx, { type: 'user_group', op, group_id: group.id, direct_subgroup_ids }, everyone)

export async function insertSubgroups({ db }: Tx, group_id: number, subgroup_ids: number[]): Promise<void> {
  for (const part of chunked(subgroup_ids)) {
    const rows = part.map((subgroup_id) => ({ group_id, subgroup_id }))
    await db.insertInto('user_group_subgroup').values(rows).execute()
  }
}

/**
 * GET /user_groups/{id}/subgroups: lists the subgroups of a group.
 *
 * @throws BAD_REQUEST for guests
 * @throws BAD_REQUEST "Invalid user group"
 */
export const listSubgroups = action(
  {
    name: 'listSubgroups',
    summary: 'Get the subgroups of a user group',
    params: v.object({
      user_group_id: described(id, 'ID of the user group.'),
      direct_subgroup_only: described(v.nullish(bool, false), 'Leave out subgroups of subgroups.'),
    }),
    result: v.strictObject({ subgroups: v.array(id) }),
    role: 'member',
  },
  async (caller, { user_group_id, direct_subgroup_only }) => {
    const group = await accessGroup(caller.db, user_group_id)
    const graph = await groupGraph.get(caller)
    const direct = graph.subgroups.get(group.id) ?? []
    return { subgroups: uniqueSorted(direct_subgroup_only ? direct : [...withSubgroups(graph, direct)]) }
  },
)
