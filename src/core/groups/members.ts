import * as v from 'valibot'
import { groupGraph } from '../access/group-graph.ts'
import { expandGroup } from '../access/group-members.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, described, id } from '../kernel/fields.ts'
import { dialectOf } from '../kernel/store.ts'
import { accessUser } from '../users/access.ts'
import { accessGroup, requireActiveUsers, requireGroupPermission } from './access.ts'
import type { Group } from './settings.ts'
import { groupViews } from './view.ts'

/** Adds users to a group. Throws without the permission, and for users who are already members. */
export async function addMembers(tx: Tx, group: Group, user_ids: number[]): Promise<void> {
  if (user_ids.length === 0) return
  if (isSelf(tx, user_ids)) await requireGroupPermission(tx, group, 'can_add_members_group', 'can_join_group')
  else await requireGroupPermission(tx, group, 'can_add_members_group')
  await requireActiveUsers(tx, user_ids)
  const [already] = await membersAmong(tx, group, user_ids)
  if (already !== undefined) throw badRequest(`User ${already} is already a member of this group`)
  await putMembers(tx, group.id, user_ids)
}

/** Adds users who aren't members. The caller has checked permissions. */
export async function putMembers(tx: Tx, group_id: number, user_ids: number[]): Promise<void> {
  await insertMembers(tx, group_id, user_ids)
  groupGraph.invalidate(tx)
  await emit(tx, { type: 'user_group', op: 'add_members', group_id, user_ids }, everyone)
}

/** Removes users from a group. Throws without the permission, and for a user who isn't a member. */
export async function removeMembers(tx: Tx, group: Group, user_ids: number[]): Promise<void> {
  if (user_ids.length === 0) return
  if (isSelf(tx, user_ids)) await requireGroupPermission(tx, group, 'can_remove_members_group', 'can_leave_group')
  else await requireGroupPermission(tx, group, 'can_remove_members_group')
  const members = new Set(await membersAmong(tx, group, user_ids))
  const stranger = user_ids.find((user_id) => !members.has(user_id))
  if (stranger !== undefined) throw badRequest(`There is no member '${stranger}' in this user group`)
  await takeMembers(tx, group.id, user_ids)
}

/** Removes members. The caller has checked permissions. */
export async function takeMembers(tx: Tx, group_id: number, user_ids: number[]): Promise<void> {
  await tx.db
    .deleteFrom('user_group_member')
    .where('group_id', '=', group_id)
    .where('user_id', 'in', dialectOf(tx.chat).idsIn(user_ids))
    .execute()
  groupGraph.invalidate(tx)
  await emit(tx, { type: 'user_group', op: 'remove_members', group_id, user_ids }, everyone)
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

export async function insertMembers({ db, chat }: Tx, group_id: number, user_ids: readonly number[]): Promise<void> {
  const rows = user_ids.map((user_id) => [group_id, user_id])
  const columns = ['group_id', 'user_id'] as const
  await db
    .insertInto('user_group_member')
    .columns(columns)
    .expression((eb) => eb.selectFrom(dialectOf(chat).rows(columns, rows).as('added')).select(columns))
    .execute()
}

const directOnly = v.nullish(bool, false)

/**
 * GET /user_groups/{id}/members: lists the members of a group.
 *
 * @throws BAD_REQUEST for guests
 * @throws BAD_REQUEST "Invalid user group"
 */
export const listMembers = action(
  {
    name: 'listMembers',
    summary: 'Get the members of a user group',
    params: v.object({
      user_group_id: described(id, 'ID of the user group.'),
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
 * GET /user_groups/{id}/members/{user_id}: returns whether a user is a member of a group.
 *
 * @throws BAD_REQUEST for guests
 * @throws BAD_REQUEST "Invalid user group", "No such user"
 */
export const isMember = action(
  {
    name: 'isMember',
    summary: 'Check whether a user is in a user group',
    params: v.object({
      user_group_id: described(id, 'ID of the user group.'),
      user_id: described(id, 'ID of the user.'),
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
