import { seconds } from '../kernel/base/clock.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { directoryOf } from './directory-accounts.ts'
import { provePassword, recordSignIn } from './fetch-api-key.ts'
import { issueKey } from './keys.ts'
import { passwordRule } from './providers/sign-on.ts'
import { requireSecondFactor } from './second-factor/required.ts'
import { requireTermsOfApps } from './terms.ts'

/** How long, in seconds, a sign-in proves that the browser's owner is there. */
const CONFIRMED_SECONDS = 300

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
    await requireSecondFactor(tx, tx.user)
    await requireTermsOfApps(tx, id)
    await recordSignIn(tx, tx.user, 'key page', 'key', name)
    return issueKey(tx, id, name)
  })
}

/** Returns the file that programs for the terminal and bots read. */
export const zuliprc = ({ origin, user }: Pick<Caller, 'origin' | 'user'>, key: string): string =>
  `[api]\nemail=${user.delivery_email}\nkey=${key}\nsite=${origin}\n`
