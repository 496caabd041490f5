import type { Tx } from '../caller.ts'
import { badRequest } from '../errors.ts'
import { everyone } from '../events/audience.ts'
import { emit } from '../events/emit.ts'
import { accessUser } from './access.ts'
import { isOwner, isRole, roles } from './roles.ts'

/** Changes someone's role. The last owner stays one. Only for callers who may. */
export async function setRole(tx: Tx, user_id: number, role: number): Promise<void> {
  if (!isRole(role)) throw badRequest('Invalid role')
  const user = await accessUser(tx.db, user_id)
  if (user.role === role) return
  if (isOwner(user)) await requireAnotherOwner(tx, user_id)
  await tx.db.updateTable('user').set({ role }).where('id', '=', user_id).execute()
  await emit(tx, { type: 'realm_user', op: 'update', person: { user_id, role } }, everyone)
}

export async function requireAnotherOwner(tx: Tx, user_id: number): Promise<void> {
  const other = await tx.db
    .selectFrom('user')
    .select('id')
    .where('role', '=', roles.owner)
    .where('is_active', '=', 1)
    .where('bot_type', 'is', null)
    .where('id', '!=', user_id)
    .executeTakeFirst()
  if (!other) throw badRequest('The owner permission cannot be removed from the only organization owner.')
}
