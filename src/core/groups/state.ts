import { isUnset } from '../../storage/index.ts'
import type { Caller } from '../context.ts'
import { type GroupView, groupViews } from './view.ts'

export interface GroupStateOptions {
  /** Whether the client can tell deactivated groups from others. */
  includeDeactivated: boolean
}

/** All groups, by id: a handful of queries, however many there are. */
export async function allGroups(caller: Caller, { includeDeactivated }: GroupStateOptions): Promise<GroupView[]> {
  let query = caller.db.selectFrom('user_group').selectAll().orderBy('id')
  if (!includeDeactivated) query = query.where('is_deactivated', '=', isUnset)
  return groupViews(caller, await query.execute())
}

/** What register says about groups. */
export const groupState = async (caller: Caller, options: GroupStateOptions) => ({
  realm_user_groups: await allGroups(caller, options),
})
