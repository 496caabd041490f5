import * as v from 'valibot'
import { publicAction } from '../kernel/action.ts'
import { recordAct } from '../kernel/audit.ts'
import { type Context, requireOpenOrganization, type SystemTx } from '../kernel/context.ts'
import { accountDeactivated, ChatError } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import type { User } from '../kernel/user.ts'
import { sendDirect } from '../messages/send/post-message.ts'
import { id } from '../shapes/values.ts'
import { findUserByEmail } from '../users/access.ts'
import { changeUser } from '../users/people.ts'
import { asSystemBot } from '../users/system-bot.ts'
import { checkPassword } from './check-password.ts'
import { tellOfEmergency } from './emergency-notice.ts'
import { noteSignIn } from './first-sign-in.ts'
import { issueKey } from './keys.ts'
import { noteDevice } from './known-devices.ts'
import { endSetUp } from './password-links.ts'
import { hashPassword, isForeign } from './passwords.ts'
import { hasSecondFactor, hasTotp, newTicket } from './second-factor/factor.ts'
import { neededFrom, needsSecondFactor, openSetUp, requireSecondFactor } from './second-factor/required.ts'
import { requireTermsOfApps } from './terms.ts'

/**
 * POST /fetch_api_key: exchanges a password for a key. The response is the same for an unknown account and a wrong
 * password.
 *
 * @throws AUTHENTICATION_FAILED for an unknown account, a wrong password and a bot alike
 * @throws USER_DEACTIVATED for the right password of a deactivated account
 * @throws PASSWORD_AUTH_DISABLED if the account must sign in through an identity provider
 * @example
 * const { api_key } = await fetchApiKey(contextOf(chat), { username: 'ann@example.com', password: 'correct horse' })
 */
export const fetchApiKey = publicAction(
  {
    name: 'fetchApiKey',
    summary: 'Get an API key with a password',
    params: v.object({
      username: described(text, 'Email address of the account.'),
      password: described(
        text,
        'Password of the account. With a second factor, the code of the authenticator app may follow it.',
      ),
      code: described(
        v.nullish(text),
        'A code of the authenticator app, or a recovery code, if the account has a second factor.',
      ),
    }),
    result: v.strictObject({ api_key: v.string(), email: v.string(), user_id: id }),
    secret: true,
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'PASSWORD_AUTH_DISABLED'],
  },
  async (visitor, credentials) => {
    const { api_key, email, user_id } = await keyForPassword(visitor, {
      ...credentials,
      ...(await codeIn(visitor, credentials)),
    })
    if (api_key === undefined) throw await codeIsMissing(visitor, user_id)
    return { api_key, email, user_id }
  },
)

const codeIsMissing = async (visitor: Context, user_id: number) =>
  new ChatError(
    'AUTHENTICATION_FAILED',
    (await hasTotp(visitor, user_id))
      ? 'This account has a second factor. Type the code of your authenticator app after your password'
      : 'This account has a passkey. Sign in to the web client, and create a key in the settings, under Sessions and API keys',
  )

/**
 * Returns password and code from a password field that contains both, since apps have no other field for the code. Only for
 * accounts with a second factor, because a password may end with six digits.
 */
async function codeIn(
  visitor: Context,
  given: { username: string; password: string; code?: string | null | undefined },
  person?: Pick<User, 'id'>,
) {
  const { username, password, code } = given
  if (code != null) return { code }
  const account = person ?? (await findUserByEmail(visitor.db, username.trim()))
  const [, before, digits] = /^(.+?) ?(\d{6})$/s.exec(password) ?? []
  if (!account || before === undefined || !(await hasTotp(visitor, account.id))) return {}
  return { password: before, code: digits }
}

interface PasswordSignIn {
  username: string
  password: string
  /** The purpose of the key, as its owner will see it. */
  name?: string | undefined
  kind?: 'key' | 'session'
  /** The second factor, if it came with the password. */
  code?: string | null | undefined
}

/**
 * Records how somebody got a key of an account, and notifies its owner if the device is new.
 *
 * @param device - the browser or program, as the list of keys names it
 */
export async function recordSignIn(
  tx: SystemTx,
  user: User,
  by: string,
  kind: 'key' | 'session' = 'key',
  device: string = tx.client,
) {
  const { id } = user
  await recordAct(tx, { action: 'signIn', subject_kind: 'user', subject_id: id, actor_id: id, after: { by, kind } })
  await noteSignIn(tx, user)
  await noteDevice(tx, id, device)
  if (by.startsWith('pass') && !by.includes('sign-on')) await tellOfEmergency(tx, user)
  const from = kind === 'session' ? await neededFrom(tx, user) : undefined
  if (from === undefined) return
  const time = new Date(from * 1000).toISOString()
  const content = `Your organization requires a second factor from <time:${time}> on. Set it up in your settings, under **Account**.`
  await sendDirect(await asSystemBot(tx), [user], content)
}

/**
 * Issues a key to the holder of the password of an account. If its second factor is missing, the answer has a ticket
 * instead, which is exchanged for a session with the code.
 */
export async function keyForPassword(visitor: Context, { name, kind, ...given }: PasswordSignIn) {
  const { account, by, failed, lacksCode, hasFactor } = await checkPassword(visitor, given)
  const stored = account.password_hash
  const own =
    stored && isForeign(stored) ? await hashPassword(given.password, visitor.chat.options.passwordCost) : undefined
  const issued = await visitor.write(async (tx) => {
    await requireOpenOrganization(tx)
    const now = await tx.db
      .selectFrom('user')
      .select(['is_active', 'password_hash'])
      .where('id', '=', account.id)
      .executeTakeFirst()
    if (!now?.is_active) {
      failed()
      throw accountDeactivated()
    }
    // The password changed during this check. The change revoked all keys, so no new one may be issued.
    if (now.password_hash !== account.password_hash) {
      throw new ChatError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
    }
    if (own) await changeUser(tx, account.id, { password_hash: own })
    await endSetUp(tx, account.id)
    if (lacksCode && (await hasSecondFactor(tx, account.id))) {
      return { ticket: kind === 'session' ? await newTicket(tx, account.id, name ?? '') : undefined }
    }
    if (!hasFactor && kind !== 'session') await requireSecondFactor(tx, account)
    if (kind !== 'session') await requireTermsOfApps(tx, account.id)
    if (!hasFactor && kind === 'session' && (await needsSecondFactor(tx, account))) {
      return { set_up: await openSetUp(tx, account.id, name ?? '') }
    }
    await recordSignIn(tx, account, by, kind, name)
    return { api_key: await issueKey(tx, account.id, name, kind) }
  })
  return { ...issued, email: account.delivery_email, user_id: account.id }
}

/**
 * Returns the account of a right password, and what proved it. The code of a second factor follows the password.
 *
 * @param person - the person if they are signed in, so that a passkey has been used already
 * @throws AUTHENTICATION_FAILED, PASSWORD_AUTH_DISABLED, RATE_LIMIT_HIT
 */
export async function provePassword(
  visitor: Context,
  given: { username: string; password: string },
  person?: Pick<User, 'id'>,
) {
  const { account, by, lacksCode } = await checkPassword(visitor, {
    ...given,
    ...(await codeIn(visitor, given, person)),
  })
  const has = person ? hasTotp : hasSecondFactor
  if (lacksCode && (await has(visitor, account.id))) throw await codeIsMissing(visitor, account.id)
  return { account, by }
}
