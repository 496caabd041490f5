import * as v from 'valibot'
import { addressKey } from '../../storage/index.ts'
import { publicAction } from '../kernel/action.ts'
import { type Context, requireOpenOrganization } from '../kernel/context.ts'
import { accountDeactivated, ChatError } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { userColumns } from '../kernel/user.ts'
import { id } from '../shapes/values.ts'
import { noteSignIn } from './first-sign-in.ts'
import { issueKey } from './keys.ts'
import { endSetUp } from './password-links.ts'
import { tryPassword, verifyPassword } from './passwords.ts'

/**
 * POST /fetch_api_key: exchanges a password for a key. The response is the same for an unknown account and a wrong
 * password.
 *
 * @throws AUTHENTICATION_FAILED for an unknown account, a wrong password and a bot alike
 * @throws USER_DEACTIVATED for the right password of a deactivated account
 * @example
 * const { api_key } = await fetchApiKey(contextOf(chat), { username: 'ann@example.com', password: 'correct horse' })
 */
export const fetchApiKey = publicAction(
  {
    name: 'fetchApiKey',
    summary: 'Get an API key with a password',
    params: v.object({
      username: described(text, 'Email address of the account.'),
      password: described(text, 'Password of the account.'),
    }),
    result: v.strictObject({ api_key: v.string(), email: v.string(), user_id: id }),
    secret: true,
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
  },
  async (visitor, credentials) => keyForPassword(visitor, credentials),
)

interface PasswordSignIn {
  username: string
  password: string
  /** The purpose of the key, as its owner will see it. */
  name?: string | undefined
}

/** Issues a key to the holder of the password of an account. */
export async function keyForPassword(visitor: Context, { username, password, name }: PasswordSignIn) {
  const account = await visitor.db
    .selectFrom('user')
    .select([...userColumns, 'password_hash'])
    .where('email_key', '=', addressKey(username.trim()))
    .executeTakeFirst()
  const right = await tryPassword(visitor, username, async () => {
    const matches = await verifyPassword(password, account?.password_hash, visitor.chat.options.passwordCost)
    return matches && account?.bot_type === null
  })
  if (!account || !right) {
    throw new ChatError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
  }
  const api_key = await visitor.write(async (tx) => {
    await requireOpenOrganization(tx)
    const now = await tx.db
      .selectFrom('user')
      .select(['is_active', 'password_hash'])
      .where('id', '=', account.id)
      .executeTakeFirst()
    if (!now?.is_active) throw accountDeactivated()
    // The password changed during this check. The change revoked all keys, so no new one may be issued.
    if (now.password_hash !== account.password_hash) {
      throw new ChatError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
    }
    await endSetUp(tx, account.id)
    await noteSignIn(tx, account)
    return issueKey(tx, account.id, name)
  })
  return { api_key, email: account.delivery_email, user_id: account.id }
}
