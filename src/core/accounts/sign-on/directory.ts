import type { SystemTx } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import { changeUser } from '../../users/people.ts'
import type { AccountRules } from '../providers/account-rules.ts'
import { signOnFailed } from '../providers/failed.ts'
import type { Person } from '../providers/protocol.ts'
import { whoseAccount } from './whose-account.ts'

/**
 * Returns the account of a person whose password is right in the directory. A password that it had here is removed, so that
 * it doesn't work again on the day that the directory isn't used anymore.
 *
 * @throws SIGN_ON_FAILED with the reason, and REALM_DEACTIVATED
 */
export async function accountOfPerson(tx: SystemTx, rules: AccountRules, person: Person): Promise<User> {
  const found = await whoseAccount(tx, rules, person)
  // The directory may not vouch for this address, and the password here wasn't given.
  if ('link_to' in found) throw signOnFailed('account_exists')
  const { id } = found.account
  const stored = await tx.db.selectFrom('user').select('password_hash').where('id', '=', id).executeTakeFirst()
  if (stored?.password_hash != null) await changeUser(tx, id, { password_hash: null })
  return found.account
}
