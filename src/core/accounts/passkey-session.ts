import * as v from 'valibot'
import { publicAction } from '../kernel/action.ts'
import { requireOpenOrganization } from '../kernel/context.ts'
import { accountDeactivated, ChatError, signInExpired } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { findUser } from '../kernel/user.ts'
import { id } from '../shapes/values.ts'
import { recordSignIn } from './fetch-api-key.ts'
import { issueKey } from './keys.ts'
import { newChallenge } from './passkeys/challenge.ts'
import { requestOptions, requestShape } from './passkeys/options.ts'
import { requireRelyingParty } from './passkeys/relying-party.ts'
import { notePasskeyUse, passkeysOf } from './passkeys/stored.ts'
import { endSetUp } from './password-links.ts'
import { BROWSER_HEADER, browser, provePasskey } from './prove-passkey.ts'
import { passwordRule } from './providers/sign-on.ts'
import { findTicket } from './second-factor/factor.ts'
import { browserName } from './sessions.ts'

/**
 * POST /json/session/passkey/options: returns what the browser needs to use a passkey, within two minutes. With the ticket of a
 * sign-in with a password, the passkey is its second factor.
 *
 * @throws BAD_REQUEST where passkeys can't work
 * @throws AUTHENTICATION_FAILED for a ticket that no longer works
 */
export const getPasskeyOptions = publicAction(
  {
    name: 'getPasskeyOptions',
    summary: 'Begin to sign a browser in with a passkey',
    headers: { browser: BROWSER_HEADER },
    onlyInHeaders: true,
    params: v.object({
      ticket: described(v.nullish(text), 'The `ticket` of the error SECOND_FACTOR_REQUIRED.'),
      browser,
    }),
    result: v.strictObject({ options: requestShape }),
    session: 'prepare',
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (visitor, { ticket, browser }) => {
    const party = requireRelyingParty(visitor.chat)
    const waiting = ticket == null ? undefined : await findTicket(visitor, ticket)
    if (ticket != null && !waiting) throw signInExpired()
    const passkeys = waiting ? await passkeysOf(visitor, waiting.user_id) : []
    const asked = waiting
      ? { purpose: 'second_factor' as const, user_id: waiting.user_id }
      : { purpose: 'sign_in' as const }
    const challenge = await visitor.write((tx) => newChallenge(tx, { ...asked, browser: browser ?? '' }), {
      relaxed: true,
    })
    return { options: requestOptions(party, challenge, passkeys) }
  },
)

/**
 * POST /json/session/passkey: signs in a browser with a passkey, which replaces the password and the second factor.
 *
 * @throws AUTHENTICATION_FAILED for an unknown passkey, a wrong signature, and an answer that is late or was sent before
 * @throws USER_DEACTIVATED
 * @throws PASSWORD_AUTH_DISABLED if the account must sign in through an identity provider
 */
export const beginPasskeySession = publicAction(
  {
    name: 'beginPasskeySession',
    summary: 'Sign a browser in with a passkey',
    headers: { browser: BROWSER_HEADER, user_agent: 'user-agent' },
    onlyInHeaders: true,
    params: v.object({
      response: described(text, "The browser's answer to the options, as JSON."),
      name: described(v.nullish(text), 'Name of the session in the list of keys. Defaults to the name of the browser.'),
      user_agent: described(v.nullish(text), 'User agent of the browser, for the name of the session.'),
      browser,
    }),
    result: v.strictObject({ api_key: v.exactOptional(v.string()), email: v.string(), user_id: id }),
    secret: true,
    session: 'begin',
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'PASSWORD_AUTH_DISABLED'],
  },
  async (visitor, { response, name, user_agent, browser }) => {
    const { passkey, counter } = await provePasskey(visitor, response, 'sign_in', browser ?? '')
    const session = name?.trim() || browserName(user_agent ?? '')
    return visitor.write(async (tx) => {
      await requireOpenOrganization(tx)
      const user = (await findUser(tx.db, passkey.user_id))!
      if (!user.is_active) throw accountDeactivated()
      if (!(await passwordRule(tx, user.delivery_email)).allowed)
        throw new ChatError('PASSWORD_AUTH_DISABLED', 'Sign in with your identity provider')
      if (!(await notePasskeyUse(tx, passkey, counter))) throw signInExpired()
      await endSetUp(tx, user.id)
      await recordSignIn(tx, user, 'passkey', 'session', session)
      const api_key = await issueKey(tx, user.id, session, 'session')
      return { api_key, email: user.delivery_email, user_id: user.id }
    })
  },
)
