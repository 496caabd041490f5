import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { described, none, text } from '../kernel/fields.ts'
import { empty } from '../shapes/values.ts'
import { mayUsePasskeys } from './own-passkeys.ts'
import { newChallenge } from './passkeys/challenge.ts'
import { requestOptions, requestShape } from './passkeys/options.ts'
import { requireRelyingParty } from './passkeys/relying-party.ts'
import { notePasskeyUse, passkeysOf } from './passkeys/stored.ts'
import { provePasskey } from './prove-passkey.ts'

/** Only the session that asked for a challenge may answer it. */
async function sessionOf({ db, user, key_id }: Caller): Promise<{ id: number; browser: string }> {
  const session =
    key_id === undefined
      ? undefined
      : await db
          .selectFrom('api_key')
          .select('id')
          .where('id', '=', key_id)
          .where('user_id', '=', user.id)
          .where('kind', '=', 'session')
          .executeTakeFirst()
  if (!session) throw badRequest('Only a browser that is signed in can confirm with a passkey.')
  return { id: session.id, browser: `confirmation in session ${session.id}` }
}

/**
 * POST /users/me/confirmation/options: returns what the browser needs to confirm with a passkey, within two minutes.
 *
 * @throws BAD_REQUEST outside a browser's session, without passkeys, and where they can't work
 */
export const beginConfirmation = action(
  {
    name: 'beginConfirmation',
    summary: 'Begin to confirm with a passkey',
    params: none,
    result: v.strictObject({ options: requestShape }),
  },
  async (caller) => {
    const party = requireRelyingParty(caller.chat)
    if (!(await mayUsePasskeys(caller)))
      throw badRequest('You sign in with your identity provider, and not with passkeys.')
    const { browser } = await sessionOf(caller)
    const passkeys = await passkeysOf(caller, caller.user.id)
    if (passkeys.length === 0) throw badRequest('Your account has no passkeys.')
    const asked = { purpose: 'confirm', user_id: caller.user.id, browser } as const
    const challenge = await caller.write((tx) => newChallenge(tx, asked))
    return { options: requestOptions(party, challenge, passkeys) }
  },
)

/**
 * POST /users/me/confirmation: confirms with a passkey that it is the person. For five minutes, this session needs no password for
 * what otherwise needs one, such as new keys and passkeys.
 *
 * @throws BAD_REQUEST outside a browser's session
 * @throws AUTHENTICATION_FAILED for a wrong signature, a passkey of another account, and an answer that is late or was sent
 * before
 */
export const confirmWithPasskey = action(
  {
    name: 'confirmWithPasskey',
    summary: 'Confirm with a passkey',
    params: v.object({ response: described(text, "The browser's answer to the options, as JSON.") }),
    result: empty,
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, { response }) => {
    const { id, browser } = await sessionOf(caller)
    const { passkey, counter } = await provePasskey(caller, response, 'confirm', browser)
    if (passkey.user_id !== caller.user.id || !(await mayUsePasskeys(caller))) throw notYours()
    return caller.write(async (tx) => {
      if (!(await notePasskeyUse(tx, passkey, counter))) throw notYours()
      await tx.db
        .updateTable('api_key')
        .set({ confirmed_at: seconds(tx.chat.clock) })
        .where('id', '=', id)
        .execute()
      return {}
    })
  },
)

const notYours = () => new ChatError('AUTHENTICATION_FAILED', 'This confirmation has expired. Start again')
