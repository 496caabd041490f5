import type { IncomingMessage } from 'node:http'
import type { Chat } from '../../core/kernel/chat.ts'
import { contextOf, currentUser } from '../../core/kernel/context.ts'
import { ChatError } from '../../core/kernel/errors.ts'
import { findUser, type User } from '../../core/kernel/user.ts'
import { findUserByEmail } from '../../core/users/access.ts'
import type { Db } from '../../storage/index.ts'

/** One of the chat's users, as a host application identifies them: by the e-mail address or the id of their account. */
export type HostUser = { readonly user_id: number } | { readonly email: string }

/**
 * Returns the chat's user for a request to the host application, from whatever identifies the host's users: a
 * session cookie, a token, a header set earlier. Called for each request that needs an account, before the API
 * key is checked.
 *
 * - Nobody (`undefined` or `null`): the request's own credentials decide, so API clients and bots go on working.
 * - An address or id that no account has, or one that is deactivated: the request is refused with 401.
 * - A thrown `ChatError` is the answer, for instance `new ChatError('AUTHENTICATION_FAILED', 'Your session has ended')`.
 *   Anything else thrown is logged and answered with 500.
 *
 * `incoming` is Node's request where there is one, with the properties a framework has added. The body must not
 * be read: that happens later. Where a cookie identifies the user, other sites' pages must not be able to send it
 * along: make it SameSite=Lax or
 * Strict, or compare the Origin header.
 *
 * @example
 * const authenticate: Authenticate = (request) => {
 *   const session = sessions.get(readCookie(request.headers.get('cookie'), 'session'))
 *   return session && { email: session.email }
 * }
 */
export type Authenticate = (
  request: Request,
  incoming: IncomingMessage | undefined,
) => HostUser | null | undefined | Promise<HostUser | null | undefined>

/** The account of a user that the host returned. */
export async function accountOf(chat: Chat, who: HostUser): Promise<User> {
  const context = contextOf(chat)
  const user = await find(context.db, who)
  if (!user) throw new ChatError('AUTHENTICATION_FAILED', 'You have no account in this organization')
  return currentUser(context, user.id)
}

function find(db: Db, who: HostUser): Promise<User | undefined> {
  // The host may be written in JavaScript, so the types are not guaranteed.
  const { user_id, email } = Object(who) as { user_id?: unknown; email?: unknown }
  if (Number.isSafeInteger(user_id)) return findUser(db, user_id as number)
  if (typeof email === 'string') return findUserByEmail(db, email.trim())
  throw new TypeError(
    'authenticate must return { user_id: number }, { email: string }, or undefined for nobody it knows',
  )
}
