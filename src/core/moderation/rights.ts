import { accessManagedUser } from '../accounts/managed-user.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, mustBeAdministrator, mustBeModerator } from '../kernel/errors.ts'
import { isAdministrator, isModerator } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'

/**
 * Returns a user whom the caller may moderate: moderators members and guests, administrators all but owners, and owners
 * everyone. A bot counts as its owner. The only place that decides.
 */
export async function accessModerated(caller: Caller, user_id: number): Promise<User> {
  if (!isModerator(caller.user)) throw mustBeModerator()
  const user = await accessManagedUser(caller, user_id)
  const owner = user.bot_owner_id === null ? user : await accessManagedUser(caller, user.bot_owner_id)
  if (owner.id === (caller.user.bot_owner_id ?? caller.user.id))
    throw badRequest("You can't moderate your own account.")
  if ((isModerator(user) || isModerator(owner)) && !isAdministrator(caller.user)) throw mustBeAdministrator()
  return user
}
