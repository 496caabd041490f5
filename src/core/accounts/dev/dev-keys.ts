import * as v from 'valibot'
import { addressKey } from '../../../storage/index.ts'
import { publicAction } from '../../kernel/action.ts'
import type { Context } from '../../kernel/context.ts'
import { accountDeactivated, badRequest, ChatError } from '../../kernel/errors.ts'
import { described, none, text } from '../../kernel/fields.ts'
import { isAdministrator } from '../../kernel/roles.ts'
import { userColumns } from '../../kernel/user.ts'
import { id } from '../../shapes/values.ts'
import { recordSignIn } from '../fetch-api-key.ts'
import { issueKey } from '../keys.ts'

/** Names of this machine in an address. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopbackUrl = (url: string): boolean => LOOPBACK.test(new URL(url).hostname)

/**
 * Throws unless the chat is for development and the request's address is on this machine. Without the second check, a
 * website could point its own name here and get keys in its visitor's browser.
 */
function requireDev({ chat, origin }: Context): void {
  if (!chat.options.dev || !isLoopbackUrl(origin)) throw badRequest('Endpoint not available in production.')
}

/**
 * POST /dev_fetch_api_key: returns a key of any account without its password if the chat's option `dev` is on. Over HTTP, it
 * also signs the client in below /json, with a session cookie and a `csrftoken` cookie.
 *
 * @throws BAD_REQUEST if it is off, and for pages that are not on this machine
 * @throws AUTHENTICATION_FAILED for an unknown account
 * @throws USER_DEACTIVATED for a deactivated account
 * @example
 * const { api_key } = await devFetchApiKey(contextOf(chat), { username: 'iago@zulip.com' })
 */
export const devFetchApiKey = publicAction(
  {
    name: 'devFetchApiKey',
    summary: 'Get an API key without a password (development only)',
    params: v.object({ username: described(text, 'Email address of the account, or of a bot.') }),
    result: v.strictObject({ api_key: v.string(), email: v.string(), user_id: id }),
    secret: true,
    // As at Zulip's development server, whose users' test suites then call /json with the cookies.
    session: 'also',
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
  },
  async (visitor, { username }) => {
    requireDev(visitor)
    return visitor.write(async (tx) => {
      const user = await tx.db
        .selectFrom('user')
        .select(userColumns)
        .where('email_key', '=', addressKey(username.trim()))
        // Bots of the server itself have no owner.
        .where((eb) => eb.or([eb('bot_type', 'is', null), eb('bot_owner_id', 'is not', null)]))
        .executeTakeFirst()
      if (!user) throw new ChatError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
      if (!user.is_active) throw accountDeactivated()
      if (user.bot_type === null) await recordSignIn(tx, user, 'development')
      return { api_key: await issueKey(tx, user.id), email: user.delivery_email, user_id: user.id }
    })
  },
)

const account = v.strictObject({ email: v.string(), realm_url: v.string() })

/**
 * GET /dev_list_users: lists the accounts for `devFetchApiKey` if the chat's option `dev` is on.
 *
 * @throws BAD_REQUEST if it is off
 * @example
 * const { direct_users } = await devListUsers(contextOf(chat))
 */
export const devListUsers = publicAction(
  {
    name: 'devListUsers',
    summary: 'List accounts (development only)',
    params: none,
    result: v.strictObject({ direct_admins: v.array(account), direct_users: v.array(account) }),
  },
  async (visitor) => {
    requireDev(visitor)
    const users = await visitor.db
      .selectFrom('user')
      .select(userColumns)
      .where('bot_type', 'is', null)
      .where('is_active', '=', 1)
      .orderBy('id')
      .execute()
    const shown = (wanted: boolean) =>
      users
        .filter((user) => isAdministrator(user) === wanted)
        .map((user) => ({ email: user.delivery_email, realm_url: visitor.origin }))
    return { direct_admins: shown(true), direct_users: shown(false) }
  },
)
