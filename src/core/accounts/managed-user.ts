import type { Caller } from '../kernel/context.ts'
import { badRequest, mustBeOwner } from '../kernel/errors.ts'
import { isOwner } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'
import { accessUser } from '../users/access.ts'

/**
 * Returns a user whom the caller may manage. Only owners manage owners, and no one manages the server's own account.
 */
export async function accessManagedUser(caller: Caller, user_id: number): Promise<User> {
  const user = await accessUser(caller, user_id)
  if (user.is_system_bot) throw badRequest('No such user')
  if (isOwner(user) && !isOwner(caller.user)) throw mustBeOwner()
  return user
}
