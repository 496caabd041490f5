import { addressKey } from '../../storage/index.ts'
import type { Context, PasswordVerdict } from '../kernel/context.ts'
import { accountDeactivated, ChatError, isChatError } from '../kernel/errors.ts'
import { userColumns } from '../kernel/user.ts'
import { accountOfPersonOf, askDirectory, directoryFor, directoryOf } from './directory-accounts.ts'
import { failedSignInsOf } from './failed-sign-ins.ts'
import { tryPassword, verifyPassword } from './passwords.ts'
import type { SignOnDirectory } from './providers/directory.ts'
import { signOnFailed } from './providers/failed.ts'
import { passwordRule, signOnOf } from './providers/sign-on.ts'
import { hasSecondFactor, useCode } from './second-factor/factor.ts'

interface Given {
  username: string
  password: string
  /** The second factor, if it came with the password. */
  code?: string | null | undefined
}

const accountBy = ({ db }: Pick<Context, 'db'>, column: 'email_key' | 'id', value: string | number) =>
  db
    .selectFrom('user')
    .select([...userColumns, 'password_hash'])
    .where(column, '=', value)
    .executeTakeFirst()
type Account = NonNullable<Awaited<ReturnType<typeof accountBy>>>

/** Whose password it is, and what proved it. */
interface Proved {
  readonly account: Account
  readonly by: string
  /** Whether the second factor is asked for, if the account has one. */
  readonly lacksCode: boolean
  /** Whether the directory has asked for a second factor. */
  readonly hasFactor: boolean
}

/**
 * Checks a password, and the code that came with it, and counts failures.
 *
 * @throws AUTHENTICATION_FAILED, PASSWORD_AUTH_DISABLED, USER_DEACTIVATED, RATE_LIMIT_HIT, and SIGN_ON_FAILED if the
 * directory doesn't answer
 */
export async function checkPassword(visitor: Context, given: Given) {
  const { username, password } = given
  const account = await accountBy(visitor, 'email_key', addressKey(username.trim()))
  const rule = await passwordRule(visitor, username)
  const directory = account?.bot_type == null ? directoryFor(visitor, username) : undefined
  // People who use the directory's password have none here.
  const hash = account && (await directoryOf(visitor, account)) ? null : account?.password_hash
  const failed = (outcome?: 'denied') => failedSignInsOf(visitor.chat).note(visitor, account?.id, outcome)
  let proved: Proved | undefined
  let refusal: ChatError | undefined
  const right = await tryPassword(visitor, username, async (): Promise<PasswordVerdict> => {
    const matches = await verifyPassword(password, hash, visitor.chat.options.passwordCost)
    const isOwn = matches && account?.bot_type === null
    if (isOwn && rule.allowed) {
      proved = await withCode(visitor, { account, by: 'password', lacksCode: true, hasFactor: false }, given)
      return proved !== undefined
    }
    const found = directory && (await accountInDirectory(visitor, directory, given))
    if (!found) return isOwn ? 'off' : false
    if (isChatError(found)) {
      refusal = found
      return 'off'
    }
    proved = await withCode(visitor, found, given)
    return proved !== undefined
  }).catch((error) => {
    if (isChatError(error) && error.code === 'SIGN_ON_FAILED') throw error
    // Too many of them are not tried anymore, and count as well. Where passwords are off, they may all be right.
    failed(rule.allowed ? undefined : 'denied')
    throw error
  })
  if (!proved || right !== true) {
    // A password that is right but turned off is no guess.
    failed(right === 'off' ? 'denied' : undefined)
    if (refusal) throw refusal
    // The answer for emergency accounts is the same as for all others.
    if (rule.limited && !signOnOf(visitor.chat)?.directory) {
      throw new ChatError('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in your organization')
    }
    throw new ChatError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
  }
  return { ...proved, failed }
}

/** Uses the code that came with a right password. A wrong code counts like a wrong password. */
async function withCode(visitor: Context, proved: Proved, { code }: Given): Promise<Proved | undefined> {
  const { account, by, lacksCode } = proved
  if (!lacksCode || code == null || !(await hasSecondFactor(visitor, account.id))) return proved
  const used = await visitor.write((tx) => useCode(tx, account.id, code))
  return used ? { ...proved, by: `${by} and ${used}`, lacksCode: false } : undefined
}

/** Returns the account of a person whose password is right in the directory, or why they can't sign in. */
async function accountInDirectory(
  visitor: Context,
  directory: SignOnDirectory,
  { username, password }: Given,
): Promise<Proved | ChatError | undefined> {
  const { rules } = directory
  const person = await askDirectory(directory, username.trim(), password)
  if (!person) return undefined
  if (person.isDisabled) return accountDeactivated()
  // A domain that must use an identity provider can't use passwords of the directory, either.
  if (person.email !== undefined && (await passwordRule(visitor, person.email)).elsewhere) return undefined
  try {
    const id = await visitor.write(async (tx) => {
      const user = await accountOfPersonOf(tx.chat)(tx, rules, person)
      if (directoryFor(tx, user.delivery_email)) return user.id
      // An emergency account, named by its user name in the directory. Its password here must stay.
      throw signOnFailed('account_exists')
    })
    const asks = rules.second_factor === 'ask'
    const account = (await accountBy(visitor, 'id', id))!
    return { account, by: `sign-on with ${rules.name}`, lacksCode: asks, hasFactor: !asks }
  } catch (error) {
    if (!isChatError(error) || error.code !== 'SIGN_ON_FAILED') throw error
    return error.data.reason === 'deactivated'
      ? accountDeactivated()
      : new ChatError('AUTHENTICATION_FAILED', error.message)
  }
}
