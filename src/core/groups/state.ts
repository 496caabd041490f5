import * as v from 'valibot'
import { isUnset } from '../../storage/index.ts'
import type { Caller } from '../context.ts'
import { statePart } from '../event-log/state-part.ts'
import { type GroupView, groupShape } from '../shapes/group.ts'
import { isSpectator } from '../spectator.ts'
import { groupViews } from './view.ts'

export interface GroupStateOptions {
  /** Whether the client can tell deactivated groups from others. */
  includeDeactivated: boolean
}

/** All groups, by id, with a constant number of queries. */
export async function allGroups(caller: Caller, { includeDeactivated }: GroupStateOptions): Promise<GroupView[]> {
  let query = caller.db.selectFrom('user_group').selectAll().orderBy('id')
  if (!includeDeactivated) query = query.where('is_deactivated', '=', isUnset)
  return groupViews(caller, await query.execute())
}

/** The group part of register's state; who belongs to them is not for people without an account. */
export const groupState = statePart({ realm_user_groups: v.array(groupShape) }, async (tx, { capabilities }) => {
  const groups = await allGroups(tx, { includeDeactivated: capabilities.include_deactivated_groups === true })
  return { realm_user_groups: isSpectator(tx.user) ? groups.map((group) => ({ ...group, members: [] })) : groups }
})
