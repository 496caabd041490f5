import * as v from 'valibot'
import { groupGraph } from '../access/group-graph.ts'
import { expandGroup } from '../access/group-members.ts'
import { action } from '../action.ts'
import { chunked, uniqueSorted } from '../base/lists.ts'
import type { Tx } from '../context.ts'
import { badRequest } from '../errors.ts'
import { everyone } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { bool, described, id, ids } from '../fields.ts'
import { empty } from '../shapes/values.ts'
import { dialectOf } from '../store.ts'
import { accessUser } from '../users/access.ts'
import { accessGroup, accessOrdinaryGroup, requireActiveUsers, requireGroupPermission } from './access.ts'
import type { Group } from './settings.ts'
import { addSubgroups, removeSubgroups } from './subgroups.ts'
import { groupViews } from './view.ts'

/**
 * POST /user_groups/{id}/members: adds and removes, all or nothing.
 *
 * @throws BAD_REQUEST without the permission for it
 * @throws BAD_REQUEST "Invalid user group", and for users who already are members, or are not
 * @example
 * await changeMembers(caller, { user_group_id, add: [user_id] })
 */
export const changeMembers = action(
  {
    name: 'changeMembers',
    summary: 'Add and remove members and subgroups of a user group',
    params: v.object({
      user_group_id: described(id, 'Id of the user group.'),
      add: described(v.nullish(ids), 'Ids of users to add.'),
      delete: described(v.nullish(ids), 'Ids of users to remove.'),
      add_subgroups: described(v.nullish(ids), 'Ids of groups to add as subgroups.'),
      delete_subgroups: described(v.nullish(ids), 'Ids of subgroups to remove.'),
    }),
    result: empty,
    idempotencyKey: 'one write',
  },
  async (caller, { user_group_id, add, delete: remove, add_subgroups, delete_subgroups }) => {
    const changes = [add, remove, add_subgroups, delete_subgroups]
    if (changes.every((list) => !list?.length)) {
      throw badRequest('Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".')
    }
    return caller.write(async (tx) => {
      const group = await accessOrdinaryGroup(tx, user_group_id)
      await addMembers(tx, group, uniqueSorted(add ?? []))
      await removeMembers(tx, group, uniqueSorted(remove ?? []))
      await addSubgroups(tx, group, uniqueSorted(add_subgroups ?? []))
      await removeSubgroups(tx, group, uniqueSorted(delete_subgroups ?? []))
      return {}
    })
  },
)

async function addMembers(tx: Tx, group: Group, user_ids: number[]): Promise<void> {
  if (user_ids.length === 0) return
  if (isSelf(tx, user_ids)) await requireGroupPermission(tx, group, 'can_add_members_group', 'can_join_group')
  else await requireGroupPermission(tx, group, 'can_add_members_group')
  await requireActiveUsers(tx, user_ids)
  const [already] = await membersAmong(tx, group, user_ids)
  if (already !== undefined) throw badRequest(`User ${already} is already a member of this group`)
  await insertMembers(tx, group.id, user_ids)
  groupGraph.invalidate(tx)
  await emit(tx, { type: 'user_group', op: 'add_members', group_id: group.id, user_ids }, everyone)
}

async function removeMembers(tx: Tx, group: Group, user_ids: number[]): Promise<void> {
  if (user_ids.length === 0) return
  if (isSelf(tx, user_ids)) await requireGroupPermission(tx, group, 'can_remove_members_group', 'can_leave_group')
  else await requireGroupPermission(tx, group, 'can_remove_members_group')
  const members = new Set(await membersAmong(tx, group, user_ids))
  const stranger = user_ids.find((user_id) => !members.has(user_id))
  if (stranger !== undefined) throw badRequest(`There is no member '${stranger}' in this user group`)
  await tx.db
    .deleteFrom('user_group_member')
    .where('group_id', '=', group.id)
    .where('user_id', 'in', dialectOf(tx.chat).idsIn(user_ids))
    .execute()
  groupGraph.invalidate(tx)
  await emit(tx, { type: 'user_group', op: 'remove_members', group_id: group.id, user_ids }, everyone)
}

const isSelf = ({ user }: Tx, user_ids: number[]): boolean => user_ids.length === 1 && user_ids[0] === user.id

async function membersAmong({ chat, db }: Tx, group: Group, user_ids: number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('user_group_member')
    .select('user_id')
    .where('group_id', '=', group.id)
    .where('user_id', 'in', dialectOf(chat).idsIn(user_ids))
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

export async function insertMembers({ db }: Tx, group_id: number, user_ids: number[]): Promise<void> {
  for (const part of chunked(user_ids)) {
    await db
      .insertInto('user_group_member')
      .values(part.map((user_id) => ({ group_id, user_id })))
      .execute()
  }
}

const directOnly = v.nullish(bool, false)

/**
 * GET /user_groups/{id}/members
 *
 * @throws BAD_REQUEST for guests
 * @throws BAD_REQUEST "Invalid user group"
 */
export const listMembers = action(
  {
    name: 'listMembers',
    summary: 'Get the members of a user group',
    params: v.object({
      user_group_id: described(id, 'Id of the user group.'),
      direct_member_only: described(directOnly, 'Leave out members of subgroups.'),
    }),
    result: v.strictObject({ members: v.array(id) }),
    role: 'member',
  },
  async (caller, { user_group_id, direct_member_only }) => {
    const group = await accessGroup(caller.db, user_group_id)
    if (!direct_member_only) return { members: await expandGroup(caller, group.id) }
    const [view] = await groupViews(caller, [group])
    return { members: view!.members }
  },
)

/**
 * GET /user_groups/{id}/members/{user_id}
 *
 * @throws BAD_REQUEST for guests
 * @throws BAD_REQUEST "Invalid user group", "No such user"
 */
export const isMember = action(
  {
    name: 'isMember',
    summary: 'Ask whether a user is in a user group',
    params: v.object({
      user_group_id: described(id, 'Id of the user group.'),
      user_id: described(id, 'Id of the user.'),
      direct_member_only: described(directOnly, 'Leave out members of subgroups.'),
    }),
    result: v.strictObject({ is_user_group_member: v.boolean() }),
    role: 'member',
  },
  async (caller, { user_id, ...which }) => {
    await accessUser(caller, user_id)
    const { members } = await listMembers(caller, which)
    return { is_user_group_member: members.includes(user_id) }
  },
)
