import * as v from 'valibot'
import { unrecorded } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { directoryOf } from './directory-accounts.ts'
import { provePassword, recordSignIn } from './fetch-api-key.ts'
import { issueKey, requireKey } from './keys.ts'
import { relyingPartyOf } from './passkeys/relying-party.ts'
import { passkeysOf } from './passkeys/stored.ts'
import { tryPassword } from './passwords.ts'
import { passwordRule } from './providers/sign-on.ts'
import { hasTotp, useCode } from './second-factor/factor.ts'
import { requireSecondFactor } from './second-factor/required.ts'
import { requireTermsOfApps } from './terms.ts'

/** The parameter of actions that ask for a proof. */
export const proof = described(
  v.nullish(text),
  'Your password, with the code of an authenticator app after it; only a code if the account has no password. Not needed within five minutes of confirming with a passkey, or of signing in to an account that has none of these.',
)

/** How long, in seconds, a sign-in proves that the browser's owner is there. */
const CONFIRMED_SECONDS = 300

/** Returns whether the caller is a browser that is signed in, and not a program with a key. */
export async function isSession({ db, key_id }: Caller): Promise<boolean> {
  if (key_id === undefined) return false
  const key = await db.selectFrom('api_key').select('kind').where('id', '=', key_id).executeTakeFirst()
  return key?.kind === 'session'
}

/**
 * Returns whether the caller has signed in to this browser in the last five minutes, in whatever way, or has confirmed with a
 * passkey since.
 */
export async function isConfirmed({ chat, db, user, key_id }: Caller, how?: 'by passkey'): Promise<boolean> {
  if (key_id === undefined) return false
  const since = seconds(chat.clock) - CONFIRMED_SECONDS
  const session = await db
    .selectFrom('api_key')
    .select('id')
    .where('id', '=', key_id)
    .where('user_id', '=', user.id)
    .where('kind', '=', 'session')
    .where((eb) =>
      how === undefined
        ? eb.or([eb('created_at', '>', since), eb('confirmed_at', '>', since)])
        : eb('confirmed_at', '>', since),
    )
    .executeTakeFirst()
  return session !== undefined
}

/** Returns whether the caller can confirm with a password. */
export async function mayUsePassword(caller: Caller): Promise<boolean> {
  if (await directoryOf(caller, caller.user)) return true
  const { db, user } = caller
  const account = await db.selectFrom('user').select('password_hash').where('id', '=', user.id).executeTakeFirst()
  return account?.password_hash != null && (await passwordRule(caller, user.delivery_email)).allowed
}

/**
 * Throws unless the caller has just signed in, or confirms with the password. The code of a second factor follows it.
 *
 * @throws BAD_REQUEST, AUTHENTICATION_FAILED for a wrong password, and RATE_LIMIT_HIT after too many
 */
export async function requireConfirmed(caller: Caller, password: string): Promise<void> {
  if (await isConfirmed(caller)) return
  if (password === '') throw badRequest('Confirm that it is you.')
  await requirePassword(caller, password)
}

/**
 * Throws unless the caller proves again that it is them, for what outlasts the session: with the password, a passkey, or a code if
 * the account has no password. A thief of a session that has just begun has none of these. For an account without any, a
 * sign-in in the last five minutes is enough.
 *
 * @param given - the password with the code of a second factor after it, or the code alone
 * @throws BAD_REQUEST, AUTHENTICATION_FAILED for a wrong password or code, and RATE_LIMIT_HIT after too many
 */
export async function requireProof(caller: Caller, given: string): Promise<void> {
  // A code is used in a write of its own, which is not what the action records.
  return requireProofOf(unrecorded(caller), given)
}

async function requireProofOf(caller: Caller, given: string): Promise<void> {
  if (await isConfirmed(caller, 'by passkey')) return
  const { user } = caller
  const hasPassword = await mayUsePassword(caller)
  const hasFactor = await canUseFactor(caller)
  if (given === '') {
    if (!hasPassword && !hasFactor && (await isConfirmed(caller))) return
    throw badRequest(
      hasPassword
        ? 'Confirm that it is you: enter your password, or use a passkey.'
        : hasFactor
          ? 'Confirm that it is you: use a passkey, or enter a code.'
          : 'Sign in again to confirm that it is you.',
    )
  }
  if (hasPassword || !hasFactor) return requirePassword(caller, given)
  const use = () => caller.write(async (tx) => (await useCode(tx, tx.user.id, given)) !== undefined)
  if (await tryPassword(caller, user.delivery_email, use)) return
  throw new ChatError('AUTHENTICATION_FAILED', 'Wrong code. Codes change every 30 seconds, and each works once')
}

/** Accounts that must use an identity provider can't use their passkeys. Browsers offer none of another host name. */
async function canUseFactor(caller: Caller): Promise<boolean> {
  const { chat, user } = caller
  if (await hasTotp(caller, user.id)) return true
  const host = relyingPartyOf(chat)?.id
  const isOffered = (await passkeysOf(caller, user.id)).some((passkey) => passkey.host === host)
  return isOffered && (await passwordRule(caller, user.delivery_email)).allowed
}

async function requirePassword(caller: Caller, password: string): Promise<void> {
  const { user } = caller
  // The directory may know the person by another address.
  const known = await directoryOf(caller, user)
  const username = known?.email ?? user.delivery_email
  const { account } = await provePassword(caller, { username, password }, user)
  if (account.id !== user.id) throw new ChatError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
}

/**
 * Creates a key for a program of the caller, who has just signed in or confirms with the password. A stolen session alone
 * gets none.
 *
 * @throws AUTHENTICATION_FAILED for a wrong password, and RATE_LIMIT_HIT after too many
 */
export async function createConfirmedKey(caller: Caller, name: string, password: string): Promise<string> {
  const { id } = caller.user
  await requireConfirmed(caller, password)
  return caller.write(async (tx) => {
    await requireKey(tx)
    await requireSecondFactor(tx, tx.user)
    await requireTermsOfApps(tx, id)
    await recordSignIn(tx, tx.user, 'key page', 'key', name)
    return issueKey(tx, id, name)
  })
}

/** Returns the file that programs for the terminal and bots read. */
export const zuliprc = ({ origin, user }: Pick<Caller, 'origin' | 'user'>, key: string): string =>
  `[api]\nemail=${user.delivery_email}\nkey=${key}\nsite=${origin}\n`
