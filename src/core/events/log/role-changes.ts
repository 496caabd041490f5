import type { Db } from '../../../storage/index.ts'
import { groupBy } from '../../kernel/base/lists.ts'
import { defineCache } from '../../kernel/cache.ts'
import type { Caller, SystemTx } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'

/** Role changes whose events are still in the log. There are few. */
const roleChanges = defineCache('role-changes', loadChanges)

async function loadChanges(db: Db) {
  const rows = await db.selectFrom('role_change').selectAll().orderBy('event_id').execute()
  return groupBy(rows, (row) => row.user_id)
}

/** Returns the caller with the role they had at a position of the log, which decides about the events there. */
export async function userAt(caller: Caller, position: number): Promise<User> {
  const changes = (await roleChanges.get(caller)).get(caller.user.id)
  const next = changes?.find((change) => change.event_id > position)
  return next ? { ...caller.user, role: next.role_before } : caller.user
}

/** Records the user's role before this event, for readers that are behind. */
export async function recordRoleChange(tx: SystemTx, event_id: number, user: User): Promise<void> {
  await tx.db.insertInto('role_change').values({ event_id, user_id: user.id, role_before: user.role }).execute()
  roleChanges.invalidate(tx)
}

/** Call it after events up to this position were removed, so that earlier roles are no longer needed. */
export async function pruneRoleChanges(tx: SystemTx, position: number): Promise<void> {
  const removed = await tx.db
    .deleteFrom('role_change')
    .where('event_id', '<=', position)
    .returning('event_id')
    .execute()
  if (removed.length > 0) roleChanges.invalidate(tx)
}
