import * as v from 'valibot'
import type { Context } from '../kernel/context.ts'
import { ChatError, signInExpired } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { BROWSER_HEADER } from '../kernel/transport.ts'
import { failedSignInsOf } from './failed-sign-ins.ts'
import { takeChallenge } from './passkeys/challenge.ts'
import { requireRelyingParty } from './passkeys/relying-party.ts'
import { type Passkey, passkeyWith } from './passkeys/stored.ts'
import { challengeIn, readAssertion, verifyAssertion } from './passkeys/verify.ts'

export { BROWSER_HEADER }

/** Challenges are bound to a cookie, so that one browser's answer is worth nothing in another one. */
export const browser = described(v.nullish(text), 'What recognizes the browser. Only its cookie says it.')

/**
 * Returns the passkey that a browser has used, and its counter after this use. Nothing is recorded yet.
 *
 * @throws ChatError AUTHENTICATION_FAILED for anything wrong
 */
export async function provePasskey(
  visitor: Context,
  response: string,
  purpose: 'sign_in' | 'second_factor' | 'confirm',
  browser: string,
): Promise<{ passkey: Passkey; counter: number }> {
  const party = requireRelyingParty(visitor.chat)
  const answer = readAssertion(response)
  const sent = answer && challengeIn(answer)
  const challenge =
    sent === undefined ? undefined : await visitor.write((tx) => takeChallenge(tx, sent, purpose, browser))
  if (!answer || sent === undefined || !challenge) throw signInExpired()
  const passkey = await passkeyWith(visitor, answer.id)
  if (!passkey) throw unknown()
  const isTheirs = challenge.user_id === null || challenge.user_id === passkey.user_id
  const counter = isTheirs ? await verifyAssertion(party, answer, sent, passkey) : undefined
  if (counter !== undefined) return { passkey, counter }
  failedSignInsOf(visitor.chat).note(visitor, passkey.user_id)
  throw unknown()
}

const unknown = () => new ChatError('AUTHENTICATION_FAILED', "This passkey doesn't sign in to an account here")
