import * as v from 'valibot'
import { areSpectatorsAdmitted } from '../access/spectators.ts'
import { action, publicAction } from '../kernel/action.ts'
import { described, none, text } from '../kernel/fields.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { empty, id } from '../shapes/values.ts'
import { keyForPassword } from './fetch-api-key.ts'
import { endKeys } from './keys.ts'

/**
 * POST /json/session: signs in a browser. Its session is an API key of the account in a cookie that scripts can't
 * read. Sessions are therefore listed and revoked like keys, and end when the password changes.
 *
 * @throws AUTHENTICATION_FAILED for an unknown account, a wrong password and a bot alike
 * @throws USER_DEACTIVATED for the right password of a deactivated account
 */
export const beginSession = publicAction(
  {
    name: 'beginSession',
    summary: 'Sign a browser in',
    headers: { user_agent: 'user-agent' },
    params: v.object({
      username: described(text, 'Email address of the account.'),
      password: described(text, 'Password of the account.'),
      name: described(
        v.nullish(text),
        'What to call the session in the list of keys; by itself what the browser says it is.',
      ),
      user_agent: described(v.nullish(text), 'What the browser says it is, for the name of the session.'),
    }),
    result: v.strictObject({ api_key: v.exactOptional(v.string()), email: v.string(), user_id: id }),
    secret: true,
    session: 'begin',
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
  },
  (visitor, { username, password, name, user_agent }) =>
    keyForPassword(visitor, { username, password, name: name?.trim() || browserName(user_agent ?? '') }),
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
  { name: 'endSession', summary: 'Sign this browser out', params: none, result: empty, session: 'end' },
  async (caller) => {
    const { key_id } = caller
    if (key_id !== undefined) await caller.write((tx) => endKeys(tx, tx.user.id, { only: [key_id] }))
    return {}
  },
)

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
function browserName(userAgent: string): string {
  const of = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [of(browsers) ?? 'Browser', of(systems)].filter(Boolean).join(' on ')
}
