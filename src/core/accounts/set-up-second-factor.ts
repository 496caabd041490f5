import { recordAct } from '../kernel/audit.ts'
import { type Context, requireOpenOrganization } from '../kernel/context.ts'
import { accountDeactivated, ChatError, signInExpired } from '../kernel/errors.ts'
import { findUser } from '../kernel/user.ts'
import { settingsOf } from '../settings/organization.ts'
import { failedSignInsOf } from './failed-sign-ins.ts'
import { recordSignIn } from './fetch-api-key.ts'
import { issueKey } from './keys.ts'
import {
  confirmTotp,
  countOrEndTicket,
  findTicket,
  hasSecondFactor,
  newRecoveryCodes,
  pendingSecret,
} from './second-factor/factor.ts'
import { totpUri } from './second-factor/totp.ts'

/**
 * Returns the ticket of an account without a second factor. Tickets of others wait for it, and the password alone must not
 * show or confirm a secret that their owner is just adding.
 */
async function ticketToSetUp(context: Context, ticket: string) {
  const waiting = await findTicket(context, ticket)
  return waiting && !(await hasSecondFactor(context, waiting.user_id)) ? waiting : undefined
}

/** Returns the secret that the person adds to an app. Throws AUTHENTICATION_FAILED if the ticket no longer works. */
export async function secretToSetUp(visitor: Context, ticket: string): Promise<{ secret: string; uri: string }> {
  const waiting = await ticketToSetUp(visitor, ticket)
  const secret = waiting && (await pendingSecret(visitor, waiting.user_id))
  if (!waiting || secret === undefined) throw signInExpired()
  const user = (await findUser(visitor.db, waiting.user_id))!
  return { secret, uri: totpUri(secret, (await settingsOf(visitor)).name, user.delivery_email) }
}

/**
 * Confirms the second factor with a code, and signs the browser in. The recovery codes are returned once.
 *
 * @throws AUTHENTICATION_FAILED for a wrong code, and for a ticket that no longer works
 */
export async function completeSetUp(visitor: Context, ticket: string, code: string) {
  const done = await visitor.write(async (tx) => {
    const waiting = await ticketToSetUp(tx, ticket)
    if (!waiting) throw signInExpired()
    await requireOpenOrganization(tx)
    const user = (await findUser(tx.db, waiting.user_id))!
    if (!user.is_active) throw accountDeactivated()
    const right = await confirmTotp(tx, user.id, code.replace(/\s/g, ''))
    await countOrEndTicket(tx, waiting, right)
    if (!right) return user.id
    const recovery_codes = await newRecoveryCodes(tx, user.id)
    const who = { subject_kind: 'user' as const, subject_id: user.id, actor_id: user.id }
    await recordAct(tx, { action: 'confirmOwnTotp', ...who, after: { second_factor: 'added' } })
    await recordSignIn(tx, user, 'new second factor', 'session', waiting.session_name)
    return { api_key: await issueKey(tx, user.id, waiting.session_name, 'session'), recovery_codes }
  })
  if (typeof done !== 'number') return done
  failedSignInsOf(visitor.chat).note(visitor, done)
  throw new ChatError('AUTHENTICATION_FAILED', 'Wrong code. Codes change every 30 seconds, and each works once')
}
