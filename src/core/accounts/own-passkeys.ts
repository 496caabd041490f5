import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { lengthOf } from '../kernel/base/limits.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, invalidField } from '../kernel/errors.ts'
import { described, id, none, text } from '../kernel/fields.ts'
import { settingsOf } from '../settings/organization.ts'
import { empty, id as idShape, unixTime } from '../shapes/values.ts'
import { proof, requireProof } from './key-page.ts'
import { requireKey } from './keys.ts'
import { newChallenge, takeChallenge } from './passkeys/challenge.ts'
import { creationOptions, creationShape } from './passkeys/options.ts'
import { relyingPartyOf, requireRelyingParty } from './passkeys/relying-party.ts'
import { passkeysOf } from './passkeys/stored.ts'
import { challengeIn, readRegistration, verifyRegistration } from './passkeys/verify.ts'
import { passwordRule } from './providers/sign-on.ts'
import { hasSecondFactor, newRecoveryCodes, removeUnusedCodes } from './second-factor/factor.ts'

const MAX_PASSKEYS = 20
const MAX_NAME_LENGTH = 60
const HANDLE_BYTES = 16

const passkey_id = described(id, 'ID of the passkey.')
const name = described(text, 'What the list of passkeys calls it.')

/** A passkey is no way around an identity provider that the account must use. */
export const mayUsePasskeys = async (caller: Caller) => (await passwordRule(caller, caller.user.delivery_email)).allowed

/** Only the session or key that asked for a challenge may answer it. */
const browserOf = ({ key_id, user }: Caller) => `key ${key_id ?? `of user ${user.id}`}`

/**
 * GET /users/me/passkeys: lists the caller's passkeys, and says whether the server can have any.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const listPasskeys = action(
  {
    name: 'listPasskeys',
    summary: 'List your passkeys',
    params: none,
    result: v.strictObject({
      /** Whether passkeys work on this server, which needs a public URL with HTTPS, and for this account. */
      available: v.boolean(),
      passkeys: v.array(
        v.strictObject({
          id: idShape,
          name: v.string(),
          created_at: unixTime,
          last_used_at: v.nullable(unixTime),
          /** Whether other devices of the person have it, too. */
          backed_up: v.boolean(),
        }),
      ),
    }),
  },
  async (caller) => ({
    available: relyingPartyOf(caller.chat) !== undefined && (await mayUsePasskeys(caller)),
    passkeys: (await passkeysOf(caller, caller.user.id)).map((row) => ({
      ...{ id: row.id, name: row.name, created_at: row.created_at, last_used_at: row.last_used_at },
      backed_up: row.backed_up === 1,
    })),
  }),
)

/**
 * POST /users/me/passkeys/options: returns what the browser needs to make a passkey, within two minutes.
 *
 * @throws BAD_REQUEST without a confirmation, where passkeys can't work, and for a bot
 * @throws AUTHENTICATION_FAILED for a wrong password
 */
export const beginPasskey = action(
  {
    name: 'beginPasskey',
    summary: 'Begin to add a passkey',
    params: v.object({ password: proof }),
    result: v.strictObject({ options: creationShape }),
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, given) => {
    const party = requireRelyingParty(caller.chat)
    if (!(await mayUsePasskeys(caller)))
      throw badRequest('You sign in with your identity provider, and not with passkeys.')
    await requireProof(caller, given.password ?? '')
    return caller.write(async (tx) => {
      const { chat, user } = tx
      if (user.bot_type !== null) throw badRequest('Bots have no passkeys.')
      const passkeys = await passkeysOf(tx, user.id)
      if (passkeys.length >= MAX_PASSKEYS) throw badRequest(`You have ${MAX_PASSKEYS} passkeys. Remove one first.`)
      // Not the user's id, because some authenticators show the handle to anybody who holds them.
      const handle = passkeys[0]?.user_handle ?? Buffer.from(chat.random.bytes(HANDLE_BYTES)).toString('base64url')
      const asked = { purpose: 'add', user_id: user.id, browser: browserOf(tx), user_handle: handle } as const
      const challenge = await newChallenge(tx, asked)
      const { name: organization } = await settingsOf(tx)
      const person = { handle, email: user.delivery_email, full_name: user.full_name }
      return { options: creationOptions(party, organization, person, challenge, passkeys) }
    })
  },
)

/**
 * POST /users/me/passkeys: adds the passkey that the browser has made. With the first second factor of an account come ten recovery
 * codes.
 *
 * @throws BAD_REQUEST for an answer that is wrong, too late, or was sent before
 */
export const addPasskey = action(
  {
    name: 'addPasskey',
    summary: 'Add a passkey',
    audit: {
      subject: 'user',
      id: (_, { user }) => user.id,
      details: ({ name }, made) => ('recovery_codes' in Object(made) ? { passkey: 'added', name } : undefined),
      each: true,
    },
    params: v.object({
      response: described(text, "The browser's answer to the options, as JSON."),
      name,
    }),
    result: v.strictObject({
      id: idShape,
      /** Each works once. They are shown only here; empty if the account had a second factor before. */
      recovery_codes: v.array(v.string()),
    }),
    secret: true,
  },
  async (caller, given) => {
    const party = requireRelyingParty(caller.chat)
    const named = checkedName(given.name)
    const answer = readRegistration(given.response)
    const sent = answer && challengeIn(answer)
    const challenge =
      sent === undefined ? undefined : await caller.write((tx) => takeChallenge(tx, sent, 'add', browserOf(tx)))
    if (!answer || sent === undefined || challenge?.user_id !== caller.user.id) throw expired()
    const made = await verifyRegistration(party, answer, sent)
    if (!made) throw badRequest('This passkey could not be verified. Try again.')
    return caller.write(async (tx) => {
      await requireKey(tx)
      const { chat, db, user } = tx
      const isFirst = !(await hasSecondFactor(tx, user.id))
      if ((await passkeysOf(tx, user.id)).length >= MAX_PASSKEYS) throw expired()
      const row = {
        ...{ ...made, user_id: user.id, host: party.id, user_handle: challenge.user_handle!, name: named },
        ...{ transports: answer.response.transports.join(' '), created_at: seconds(chat.clock), last_used_at: null },
      }
      const added = await db
        .insertInto('passkey')
        .values(row)
        .onConflict((oc) => oc.column('credential_id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!added) throw badRequest('This passkey belongs to an account already.')
      return { id: added.id, recovery_codes: isFirst ? await newRecoveryCodes(tx, user.id) : [] }
    })
  },
)

/**
 * PATCH /users/me/passkeys/{passkey_id}: renames a passkey.
 *
 * @throws BAD_REQUEST "No such passkey"
 */
export const renamePasskey = action(
  {
    name: 'renamePasskey',
    summary: 'Rename one of your passkeys',
    params: v.object({ passkey_id, name }),
    result: empty,
  },
  (caller, given) =>
    caller.write(async ({ db, user }) => {
      const renamed = await db
        .updateTable('passkey')
        .set({ name: checkedName(given.name) })
        .where('id', '=', given.passkey_id)
        .where('user_id', '=', user.id)
        .returning('id')
        .executeTakeFirst()
      if (!renamed) throw badRequest('No such passkey')
      return {}
    }),
)

/**
 * DELETE /users/me/passkeys/{passkey_id}: removes a passkey. The recovery codes go with the last second factor.
 *
 * @throws BAD_REQUEST "No such passkey", and without a confirmation
 * @throws AUTHENTICATION_FAILED for a wrong password
 */
export const removePasskey = action(
  {
    name: 'removePasskey',
    summary: 'Remove one of your passkeys',
    audit: { subject: 'user', id: (_, { user }) => user.id, details: (_, { name }) => ({ passkey: 'removed', name }) },
    params: v.object({ passkey_id, password: proof }),
    result: empty,
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, given) => {
    await requireProof(caller, given.password ?? '')
    await caller.write(async (tx) => {
      const { db, user } = tx
      const removed = await db
        .deleteFrom('passkey')
        .where('id', '=', given.passkey_id)
        .where('user_id', '=', user.id)
        .returning('name')
        .executeTakeFirst()
      if (!removed) throw badRequest('No such passkey')
      await removeUnusedCodes(tx, user.id)
      return removed
    })
    return {}
  },
)

const expired = () => badRequest('This request for a passkey has expired. Start again.')

function checkedName(given: string): string {
  const trimmed = given.trim()
  if (trimmed === '') throw invalidField('name', 'Give the passkey a name.')
  if (lengthOf(trimmed) > MAX_NAME_LENGTH)
    throw invalidField('name', `Names of passkeys have at most ${MAX_NAME_LENGTH} characters.`)
  return trimmed
}
