import type { Tx } from '../kernel/context.ts'
import { putMembers, takeMembers } from './members.ts'
import type { Group } from './settings.ts'

/** Makes a user a direct member of a group or not, as an identity provider says. It has no permission to check. */
export async function changeMembersBySync(tx: Tx, group: Group, user_id: number, member: boolean): Promise<void> {
  const row = await tx.db
    .selectFrom('user_group_member')
    .select('user_id')
    .where('group_id', '=', group.id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (member === (row !== undefined)) return
  if (member) await putMembers(tx, group.id, [user_id])
  else await takeMembers(tx, group.id, [user_id])
}
