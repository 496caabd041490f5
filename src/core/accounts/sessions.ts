import * as v from 'valibot'
import { areSpectatorsAdmitted } from '../access/spectators.ts'
import { action, publicAction } from '../kernel/action.ts'
import type { Chat } from '../kernel/chat.ts'
import { contextOf, requireOpenOrganization } from '../kernel/context.ts'
import { accountDeactivated, ChatError } from '../kernel/errors.ts'
import { described, none, text } from '../kernel/fields.ts'
import { servedPath } from '../kernel/public-url.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { findUser } from '../kernel/user.ts'
import { empty, id } from '../shapes/values.ts'
import { failedSignInsOf } from './failed-sign-ins.ts'
import { keyForPassword, recordSignIn } from './fetch-api-key.ts'
import { endKeys, issueKey } from './keys.ts'
import { notePasskeyUse } from './passkeys/stored.ts'
import { BROWSER_HEADER, browser, provePasskey } from './prove-passkey.ts'
import { countOrEndTicket, findTicket, hasPasskey, hasTotp, useCode } from './second-factor/factor.ts'
import { SET_UP_FACTOR_PATH } from './second-factor/required.ts'
import { hasEnded } from './session-end.ts'

/**
 * POST /json/session: signs in a browser. Its session is an API key of the account in a cookie that scripts can't
 * read. Sessions are therefore listed and revoked like keys, and end when the password changes.
 *
 * @throws AUTHENTICATION_FAILED for an unknown account, a wrong password and a bot alike
 * @throws USER_DEACTIVATED for the right password of a deactivated account
 * @throws PASSWORD_AUTH_DISABLED if the account must sign in through an identity provider
 */
export const beginSession = publicAction(
  {
    name: 'beginSession',
    summary: 'Sign in a browser',
    headers: { user_agent: 'user-agent' },
    params: v.object({
      username: described(text, 'Email address of the account.'),
      password: described(text, 'Password of the account.'),
      name: described(v.nullish(text), 'Name of the session in the list of keys. Defaults to the name of the browser.'),
      user_agent: described(v.nullish(text), 'User agent of the browser, for the name of the session.'),
    }),
    result: v.strictObject({ api_key: v.exactOptional(v.string()), email: v.string(), user_id: id }),
    secret: true,
    session: 'begin',
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'PASSWORD_AUTH_DISABLED', 'SECOND_FACTOR_REQUIRED'],
  },
  async (visitor, { username, password, name, user_agent }) => {
    const session = name?.trim() || browserName(user_agent ?? '')
    const given = { username, password, name: session, kind: 'session' } as const
    const { ticket, set_up, ...begun } = await keyForPassword(visitor, given)
    if (set_up !== undefined) {
      throw new ChatError(
        'SECOND_FACTOR_REQUIRED',
        'Your organization requires a second factor. Set it up to sign in',
        {
          methods: ['set_up'],
          url: servedPath(visitor.chat, `${SET_UP_FACTOR_PATH}?step=${set_up}`),
        },
      )
    }
    if (ticket === undefined) return begun
    const methods = [
      ...((await hasPasskey(visitor, begun.user_id)) ? ['passkey'] : []),
      ...((await hasTotp(visitor, begun.user_id)) ? ['totp'] : []),
      'recovery_code',
    ]
    const sentence = methods[0] === 'passkey' ? 'Use your passkey' : 'Enter the code of your authenticator app'
    throw new ChatError('SECOND_FACTOR_REQUIRED', sentence, { methods, ticket })
  },
)

/**
 * POST /json/session/second_factor: completes a sign-in with a code of the authenticator app, a recovery code, or a
 * passkey. The ticket is in the error SECOND_FACTOR_REQUIRED. It works for five minutes, and for five wrong codes.
 *
 * @throws AUTHENTICATION_FAILED for a wrong code, and for a ticket that no longer works
 * @throws USER_DEACTIVATED
 * @throws RATE_LIMIT_HIT after too many wrong codes for the account
 */
export const completeSession = publicAction(
  {
    name: 'completeSession',
    summary: 'Sign a browser in with the second factor',
    headers: { browser: BROWSER_HEADER },
    onlyInHeaders: true,
    params: v.object({
      ticket: described(text, 'The `ticket` of the error SECOND_FACTOR_REQUIRED.'),
      code: described(v.nullish(text), 'A code of the authenticator app, or a recovery code.'),
      response: described(v.nullish(text), "Instead of a code: the browser's answer for a passkey, as JSON."),
      browser,
    }),
    result: v.strictObject({ api_key: v.exactOptional(v.string()), email: v.string(), user_id: id }),
    secret: true,
    session: 'begin',
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
  },
  async (visitor, { ticket, code, response, browser }) => {
    const proven = response == null ? undefined : await provePasskey(visitor, response, 'second_factor', browser ?? '')
    const begun = await visitor.write(async (tx) => {
      const waiting = await findTicket(tx, ticket)
      if (!waiting) throw new ChatError('AUTHENTICATION_FAILED', 'This sign-in has expired. Enter your password again')
      await requireOpenOrganization(tx)
      const user = (await findUser(tx.db, waiting.user_id))!
      if (!user.is_active) throw accountDeactivated()
      const used = proven
        ? proven.passkey.user_id === user.id && (await notePasskeyUse(tx, proven.passkey, proven.counter)) && 'passkey'
        : await useCode(tx, user.id, code ?? '', waiting.session_name)
      await countOrEndTicket(tx, waiting, Boolean(used))
      if (!used) return { user_id: user.id }
      await recordSignIn(tx, user, `password and ${used}`, 'session', waiting.session_name)
      const api_key = await issueKey(tx, user.id, waiting.session_name, 'session')
      return { user_id: user.id, email: user.delivery_email, api_key }
    })
    if (begun.api_key !== undefined) return { api_key: begun.api_key, email: begun.email, user_id: begun.user_id }
    failedSignInsOf(visitor.chat).note(visitor, begun.user_id)
    throw new ChatError('AUTHENTICATION_FAILED', 'Wrong code. Codes change every 30 seconds, and each works once')
  },
)

/**
 * GET /json/session: returns who is signed in to this browser, and whether people without an account may read public
 * channels. Pages ask before a request that would fail without a session.
 */
export const getSession = action(
  {
    name: 'getSession',
    summary: 'Get the session of this browser',
    params: none,
    result: v.strictObject({ user_id: v.nullable(id), spectators_admitted: v.boolean() }),
    spectators: async () => {},
  },
  async (caller) => ({
    user_id: isSpectator(caller.user) ? null : caller.user.id,
    spectators_admitted: await areSpectatorsAdmitted(caller),
  }),
)

/**
 * DELETE /json/session: signs out of this browser.
 *
 * @throws INVALID_API_KEY if no one is signed in
 */
export const endSession = action(
  {
    name: 'endSession',
    audit: { subject: 'key', id: (_, { key_id }) => key_id },
    summary: 'Sign this browser out',
    params: none,
    result: empty,
    session: 'end',
  },
  async (caller) => {
    const { key_id } = caller
    if (key_id !== undefined) await caller.write((tx) => endKeys(tx, tx.user.id, { only: [key_id] }))
    return {}
  },
)

/** Removes ended sessions, which no one can use anymore, and disconnects their event streams. */
export async function removeEndedSessions(chat: Chat): Promise<void> {
  await contextOf(chat).write(async (tx) => {
    const sessions = await tx.db
      .selectFrom('api_key')
      .select(['id', 'user_id', 'created_at', 'last_used_at'])
      .where('kind', '=', 'session')
      .execute()
    for (const session of sessions) {
      if (await hasEnded(tx, session)) await endKeys(tx, session.user_id, { only: [session.id] })
    }
  })
}

const browsers: readonly [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bFirefox\//, 'Firefox'],
  [/(Chrome|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Returns the name of a browser's session in the list of sessions, such as "Firefox on Linux". */
export function browserName(userAgent: string): string {
  const of = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [of(browsers) ?? 'Browser', of(systems)].filter(Boolean).join(' on ')
}
