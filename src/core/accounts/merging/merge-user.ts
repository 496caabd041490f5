import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, id } from '../../kernel/fields.ts'
import { empty } from '../../shapes/values.ts'

/**
 * POST /users/{user_id}/merge: merges an account that an import created into another account, together with its messages,
 * reactions, subscriptions, files and the like, and removes it. Clients register again.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST "No such user", unless an import created the account, for bots, for a deactivated target, and while
 * an import runs
 */
export const mergeUser = action(
  {
    name: 'mergeUser',
    summary: 'Merge an imported account',
    params: v.object({
      user_id: described(id, 'ID of the user that an import created.'),
      into: described(id, 'ID of the user who gets everything.'),
    }),
    result: empty,
    role: 'owner',
  },
  async (caller, { user_id, into }) => {
    // Loaded on demand, because it is used after an import.
    const { mergeAccount } = await import('./merge-account.ts')
    await mergeAccount(caller, user_id, into)
    return {}
  },
)
