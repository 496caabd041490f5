import type { IncomingMessage } from 'node:http'
import type { Chat } from '../../core/kernel/chat.ts'
import { contextOf, currentUser } from '../../core/kernel/context.ts'
import { ChatError } from '../../core/kernel/errors.ts'
import { findUser, type User } from '../../core/kernel/user.ts'
import { findUserByEmail } from '../../core/users/access.ts'
import type { Db } from '../../storage/index.ts'

/** One of the chat's users, by the email address or id of their account. */
export type HostUser = { readonly user_id: number } | { readonly email: string }

/**
 * Returns the chat's user for a request to the host application, from a session cookie, a token, or a header set
 * earlier. It is called for each request that needs an account, before the API key is checked.
 *
 * - If it returns `undefined` or `null`, the request's own credentials decide, so API clients and bots keep working.
 * - If no active account has the address or id, the response is a 401.
 * - If it throws a `ChatError`, that is the response, for instance `new ChatError('AUTHENTICATION_FAILED', 'Your
 *   session has ended')`. Other errors are logged, and the response is a 500.
 *
 * `incoming` is Node's request, if there is one, with the properties that a framework has added. Don't read its body,
 * which is read later. If a cookie identifies the user, other sites' pages must not be able to send it: make it
 * SameSite=Lax or Strict, or check the Origin header.
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

/** Returns the account of the user that the host application returned. */
export async function accountOf(chat: Chat, who: HostUser): Promise<User> {
  const context = contextOf(chat)
  const user = await find(context.db, who)
  if (!user) throw new ChatError('AUTHENTICATION_FAILED', "You don't have an account in this organization")
  return currentUser(context, user.id)
}

function find(db: Db, who: HostUser): Promise<User | undefined> {
  // The host application may be written in JavaScript, so its types aren't guaranteed.
  const { user_id, email } = Object(who) as { user_id?: unknown; email?: unknown }
  if (Number.isSafeInteger(user_id)) return findUser(db, user_id as number)
  if (typeof email === 'string') return findUserByEmail(db, email.trim())
  throw new TypeError('authenticate must return { user_id: number }, { email: string }, or undefined for unknown users')
}
