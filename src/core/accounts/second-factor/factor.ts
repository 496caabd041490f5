import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Context, SystemTx } from '../../kernel/context.ts'
import { secretsOf } from '../../kernel/secrets.ts'
import { base32, stepOf } from './totp.ts'
import { wrongCodesOf } from './wrong-codes.ts'

/** As RFC 4226 recommends. */
const SECRET_BYTES = 20
const RECOVERY_CODES = 10
/** Characters of a recovery code, of 5 bits each. */
const RECOVERY_LENGTH = 10
/** A secret that was shown is confirmed within this time, or not at all. */
const CONFIRM_SECONDS = 600
const TICKET_SECONDS = 300
const TICKET_LENGTH = 32
/** Wrong codes after which the password is asked again. */
const MAX_WRONG_CODES = 5

/** Returns whether an account has a second factor: an authenticator app, or a passkey. */
export const hasSecondFactor = async (context: Pick<Context, 'db'>, user_id: number): Promise<boolean> =>
  (await hasTotp(context, user_id)) || (await hasPasskey(context, user_id))

export async function hasPasskey({ db }: Pick<Context, 'db'>, user_id: number): Promise<boolean> {
  const row = await db.selectFrom('passkey').select('id').where('user_id', '=', user_id).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Returns whether an account has a confirmed authenticator app. */
export async function hasTotp({ db }: Pick<Context, 'db'>, user_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('totp')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function recoveryCodesLeft({ db }: Pick<Context, 'db'>, user_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Stores a new secret that isn't confirmed yet, and returns it in base32. */
export async function newTotpSecret({ chat, db }: SystemTx, user_id: number): Promise<string> {
  const secret = base32(chat.random.bytes(SECRET_BYTES))
  await db.deleteFrom('totp').where('user_id', '=', user_id).execute()
  await db
    .insertInto('totp')
    .values({
      user_id,
      secret: secretsOf(chat).seal(secret),
      last_step: 0,
      created_at: seconds(chat.clock),
      confirmed_at: null,
      wrong_codes: 0,
      wrong_at: 0,
    })
    .execute()
  return secret
}

/** Returns the secret that was made last and isn't confirmed yet; undefined if there is none. */
export async function pendingSecret(
  { chat, db }: Pick<Context, 'chat' | 'db'>,
  user_id: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('totp')
    .select('secret')
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', seconds(chat.clock) - CONFIRM_SECONDS)
    .executeTakeFirst()
  return row && secretsOf(chat).unseal(row.secret)
}

/** Confirms the new secret with a code from it. Returns whether the code was right. */
export async function confirmTotp(tx: SystemTx, user_id: number, code: string): Promise<boolean> {
  const { chat, db } = tx
  const now = seconds(chat.clock)
  const row = await db
    .selectFrom('totp')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', now - CONFIRM_SECONDS)
    .executeTakeFirst()
  const step = row && stepFor(chat, row, code)
  if (step === undefined) return false
  await db.updateTable('totp').set({ last_step: step, confirmed_at: now }).where('user_id', '=', user_id).execute()
  return true
}

/**
 * Uses a code of the authenticator app, or a recovery code, which works only once. Returns which it was. Wrong codes
 * are limited. Recovery codes are too long to be guessed, so they work even after too many wrong codes.
 *
 * @param device - what the session of a sign-in will be called; undefined for others
 * @throws RATE_LIMIT_HIT after too many wrong codes
 */
export async function useCode(
  tx: SystemTx,
  user_id: number,
  code: string,
  device?: string,
): Promise<'totp' | 'recovery_code' | undefined> {
  const { chat, db } = tx
  const typed = code.replace(/[\s-]/g, '').toUpperCase()
  const row = await db
    .selectFrom('totp')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const wrong = row && (await wrongCodesOf(tx, user_id, row, device))
  const used = await db
    .deleteFrom('recovery_code')
    .where('digest', '=', recoveryDigest(chat, user_id, typed))
    .returning('user_id')
    .executeTakeFirst()
  if (used) {
    await wrong?.count(true)
    return 'recovery_code'
  }
  // Recovery codes of an account with passkeys alone are too long to be guessed.
  if (!row || !wrong) return undefined
  wrong.requireTry()
  const last_step = stepFor(chat, row, typed)
  await wrong.count(last_step !== undefined)
  if (last_step === undefined) return undefined
  await db.updateTable('totp').set({ last_step }).where('user_id', '=', user_id).execute()
  return 'totp'
}

function stepFor(chat: Chat, { secret, last_step }: { secret: string; last_step: number }, code: string) {
  const opened = secretsOf(chat).unseal(secret)
  return opened === undefined ? undefined : stepOf(opened, code, seconds(chat.clock), last_step)
}

const recoveryDigest = (chat: Chat, user_id: number, code: string): string =>
  secretsOf(chat).digest(`recovery code ${user_id} ${code}`)

/** Replaces the recovery codes of an account. They are returned once, because only digests are stored. */
export async function newRecoveryCodes({ chat, db }: SystemTx, user_id: number): Promise<string[]> {
  await db.deleteFrom('recovery_code').where('user_id', '=', user_id).execute()
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32(chat.random.bytes(RECOVERY_LENGTH)).slice(0, RECOVERY_LENGTH),
  )
  const rows = codes.map((code) => ({ user_id, digest: recoveryDigest(chat, user_id, code) }))
  await db.insertInto('recovery_code').values(rows).execute()
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

/** Removes all second factors of an account. */
export async function removeSecondFactor(tx: SystemTx, user_id: number): Promise<void> {
  await tx.db.deleteFrom('passkey').where('user_id', '=', user_id).execute()
  await tx.db.deleteFrom('passkey_challenge').where('user_id', '=', user_id).execute()
  await removeTotp(tx, user_id)
}

/** Removes the authenticator app of an account. */
export async function removeTotp(tx: SystemTx, user_id: number): Promise<void> {
  await tx.db.deleteFrom('totp').where('user_id', '=', user_id).execute()
  await tx.db.deleteFrom('sign_in_ticket').where('user_id', '=', user_id).execute()
  await removeUnusedCodes(tx, user_id)
}

/** Removes the recovery codes of an account that has no second factor anymore. */
export async function removeUnusedCodes(tx: SystemTx, user_id: number): Promise<void> {
  if (!(await hasSecondFactor(tx, user_id)))
    await tx.db.deleteFrom('recovery_code').where('user_id', '=', user_id).execute()
}

/** Records that a browser sent the right password, and returns the ticket with which it sends the code. */
export async function newTicket(
  { chat, db }: SystemTx,
  user_id: number,
  session_name: string,
  lasts: number = TICKET_SECONDS,
): Promise<string> {
  const now = seconds(chat.clock)
  await db.deleteFrom('sign_in_ticket').where('expires_at', '<=', now).execute()
  const ticket = randomText(chat.random, TICKET_LENGTH)
  await db
    .insertInto('sign_in_ticket')
    .values({
      digest: secretsOf(chat).digest(ticket),
      user_id,
      session_name,
      expires_at: now + lasts,
      wrong_codes: 0,
    })
    .execute()
  return ticket
}

/** Returns a ticket that is still valid. */
export const findTicket = ({ chat, db }: Pick<Context, 'chat' | 'db'>, ticket: string) =>
  db
    .selectFrom('sign_in_ticket')
    .selectAll()
    .where('digest', '=', secretsOf(chat).digest(ticket.trim()))
    .where('expires_at', '>', seconds(chat.clock))
    .where('wrong_codes', '<', MAX_WRONG_CODES)
    .executeTakeFirst()

/** Ends a ticket that was used, or counts a wrong code. */
export async function countOrEndTicket(
  { db }: SystemTx,
  ticket: { id: number; wrong_codes: number },
  isRight: boolean,
) {
  if (isRight) await db.deleteFrom('sign_in_ticket').where('id', '=', ticket.id).execute()
  else {
    const wrong_codes = ticket.wrong_codes + 1
    await db.updateTable('sign_in_ticket').set({ wrong_codes }).where('id', '=', ticket.id).execute()
  }
}
