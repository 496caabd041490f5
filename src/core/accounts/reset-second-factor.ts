import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { empty } from '../shapes/values.ts'
import { accessManagedUser } from './managed-user.ts'
import { hasSecondFactor, removeSecondFactor } from './second-factor/factor.ts'

/**
 * DELETE /users/{user_id}/second_factor: removes a lost second factor. The user signs in with their
 * password until they add another.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST "No such user", and for an account without a second factor
 */
export const resetSecondFactor = action(
  {
    name: 'resetSecondFactor',
    summary: 'Remove the second factor of a user',
    audit: { subject: 'user', id: ({ user_id }) => user_id, details: () => ({ second_factor: 'reset' }) },
    params: v.object({ user_id: described(id, 'Id of the user.') }),
    result: empty,
    role: 'owner',
  },
  (caller, { user_id }) =>
    caller.write(async (tx) => {
      const user = await accessManagedUser(tx, user_id)
      if (!(await hasSecondFactor(tx, user.id))) throw badRequest('This account has no second factor.')
      await removeSecondFactor(tx, user.id)
      return {}
    }),
)
