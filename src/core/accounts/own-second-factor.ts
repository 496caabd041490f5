import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { recordAct } from '../kernel/audit.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, none, text } from '../kernel/fields.ts'
import { settingsOf } from '../settings/organization.ts'
import { empty, integer } from '../shapes/values.ts'
import { askDirectory, directoryOf } from './directory-accounts.ts'
import { isConfirmed, mayUsePassword } from './key-page.ts'
import { requireKey } from './keys.ts'
import { passkeysOf } from './passkeys/stored.ts'
import { tryPassword, verifyPassword } from './passwords.ts'
import {
  confirmTotp,
  hasTotp,
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodesLeft,
  removeTotp,
  useCode,
} from './second-factor/factor.ts'
import { totpUri } from './second-factor/totp.ts'

const password = described(
  v.nullish(text, ''),
  'Your password. Not needed within five minutes of confirming with a passkey, or of signing in without a password.',
)
const code = described(text, 'A code of the authenticator app, or a recovery code.')
const codes = v.strictObject({
  /** Each works once. They are shown only here. */
  recovery_codes: v.array(v.string()),
})

/**
 * GET /users/me/second_factor: returns whether the account has a second factor, and how many recovery codes are left.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const getSecondFactor = action(
  {
    name: 'getSecondFactor',
    summary: 'Get the state of your second factor',
    params: none,
    result: v.strictObject({
      totp: v.boolean(),
      /** Whether the account can confirm with a password. */
      has_password: v.boolean(),
      /** How many passkeys the account has. */
      passkeys: integer,
      recovery_codes_left: integer,
    }),
  },
  async (caller) => ({
    totp: await hasTotp(caller, caller.user.id),
    has_password: await mayUsePassword(caller),
    passkeys: (await passkeysOf(caller, caller.user.id)).length,
    recovery_codes_left: await recoveryCodesLeft(caller, caller.user.id),
  }),
)

/**
 * POST /users/me/totp: returns a new secret for an authenticator app. It counts once POST /users/me/totp/confirm has
 * confirmed it with a code, within ten minutes.
 *
 * @throws BAD_REQUEST "Wrong password!", and if the account has a second factor
 */
export const beginTotp = action(
  {
    name: 'beginTotp',
    summary: 'Begin to set up an authenticator app',
    params: v.object({ password }),
    result: v.strictObject({ secret: v.string(), uri: v.string() }),
    secret: true,
  },
  async (caller, params) => {
    await requirePassword(caller, params.password)
    return caller.write(async (tx) => {
      if (await hasTotp(tx, tx.user.id)) throw badRequest('Remove the present authenticator app first.')
      const secret = await newTotpSecret(tx, tx.user.id)
      return { secret, uri: totpUri(secret, (await settingsOf(tx)).name, tx.user.delivery_email) }
    })
  },
)

/**
 * POST /users/me/totp/confirm: makes the authenticator app a second factor, and returns ten recovery codes.
 *
 * @throws BAD_REQUEST "Wrong code"
 */
export const confirmOwnTotp = action(
  {
    name: 'confirmOwnTotp',
    summary: 'Confirm an authenticator app',
    params: v.object({ code: described(text, 'A code of the authenticator app.') }),
    result: codes,
    secret: true,
  },
  async (caller, params) => {
    let recovery_codes: string[] = []
    await tryCode(caller, async (tx) => {
      if (!(await confirmTotp(tx, tx.user.id, params.code.replace(/\s/g, '')))) return false
      recovery_codes = await newRecoveryCodes(tx, tx.user.id)
      await recordFactor(tx, 'confirmOwnTotp', { second_factor: 'added' })
      return true
    })
    return { recovery_codes }
  },
)

/**
 * DELETE /users/me/totp: removes the authenticator app. Passkeys stay, and then the recovery codes, too.
 *
 * @throws BAD_REQUEST "Wrong password!", "Wrong code"
 */
export const removeOwnTotp = action(
  {
    name: 'removeOwnTotp',
    summary: 'Remove your authenticator app',
    params: v.object({ password, code }),
    result: empty,
  },
  async (caller, params) => {
    await requirePassword(caller, params.password)
    await tryCode(caller, async (tx) => {
      if (!(await useCode(tx, tx.user.id, params.code))) return false
      await removeTotp(tx, tx.user.id)
      await recordFactor(tx, 'removeOwnTotp', { second_factor: 'removed' })
      return true
    })
    return {}
  },
)

/**
 * POST /users/me/recovery_codes: replaces the recovery codes.
 *
 * @throws BAD_REQUEST "Wrong password!", "Wrong code"
 */
export const replaceRecoveryCodes = action(
  {
    name: 'replaceRecoveryCodes',
    summary: 'Replace your recovery codes',
    params: v.object({ password, code }),
    result: codes,
    secret: true,
  },
  async (caller, params) => {
    await requirePassword(caller, params.password)
    let recovery_codes: string[] = []
    await tryCode(caller, async (tx) => {
      if (!(await useCode(tx, tx.user.id, params.code))) return false
      recovery_codes = await newRecoveryCodes(tx, tx.user.id)
      await recordFactor(tx, 'replaceRecoveryCodes', { recovery_codes: 'replaced' })
      return true
    })
    return { recovery_codes }
  },
)

const recordFactor = (tx: Tx, action: string, after: Record<string, string>) =>
  recordAct(tx, { action, subject_kind: 'user', subject_id: tx.user.id, after })

/** Runs a check of a code in a write. Wrong codes count like wrong passwords. Throws BAD_REQUEST, RATE_LIMIT_HIT. */
async function tryCode(caller: Caller, check: (tx: Tx) => Promise<boolean>): Promise<void> {
  const right = await tryPassword(caller, caller.user.delivery_email, () =>
    caller.write(async (tx) => {
      await requireKey(tx)
      return check(tx)
    }),
  )
  if (!right) throw badRequest('Wrong code. Codes change every 30 seconds, and each works once.')
}

/**
 * Throws BAD_REQUEST unless it is the caller's password, so that a stolen session can't change the second factor. A passkey
 * replaces it. People without a password have just signed in.
 */
async function requirePassword(caller: Caller, given: string): Promise<void> {
  if (given === '') {
    if (await isConfirmed(caller, 'by passkey')) return
    if (!(await mayUsePassword(caller))) {
      if (await isConfirmed(caller)) return
      throw badRequest('Confirm with a passkey, or sign in again first.')
    }
  }
  const right = await tryPassword(caller, caller.user.delivery_email, () => isOwnPassword(caller, given))
  if (!right) throw badRequest('Wrong password!')
}

async function isOwnPassword(caller: Caller, given: string): Promise<boolean> {
  const { chat, db, user } = caller
  const known = await directoryOf(caller, user)
  if (known) {
    const person = await askDirectory(known.directory, known.email ?? user.delivery_email, given)
    return person?.subject === known.subject
  }
  const stored = await db.selectFrom('user').select('password_hash').where('id', '=', user.id).executeTakeFirst()
  return verifyPassword(given, stored?.password_hash, chat.options.passwordCost)
}
