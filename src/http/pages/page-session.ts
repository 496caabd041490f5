import type { H3Event } from 'h3'
import { beginSession } from '../../core/accounts/sessions.ts'
import type { Context } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import type { Page } from '../serve/page.ts'
import { applySession, type SessionCookie } from '../sign-in/session.ts'

/**
 * Signs the browser in after a page has set a password, and shows the page that says so. It requires the browser's own
 * statement that the form was on a page of this server. Otherwise another site could sign the browser in to a
 * different account. Browsers send the statement over HTTPS and on localhost. Elsewhere, users sign in themselves.
 */
export async function beginPageSession(
  visitor: Context,
  { req }: H3Event,
  sessionCookie: SessionCookie,
  page: Page,
): Promise<{ page: Page; cookies: readonly string[] }> {
  const { signIn, session, cookies = [] } = page
  // The browser has proved with a cookie of its own that it began this sign-in.
  if (session) return { page, cookies: [...cookies, applySession('begin', session, sessionCookie).cookie] }
  if (!signIn || req.headers.get('sec-fetch-site') !== 'same-origin') return { page, cookies }
  const { username, password, body } = signIn
  const user_agent = req.headers.get('user-agent')
  try {
    const begun = await beginSession(visitor, { username, password, user_agent })
    const { cookie } = applySession('begin', begun, sessionCookie)
    return { page: { ...page, body }, cookies: [...cookies, cookie] }
  } catch (error) {
    // The password is set in any case, even if sign-ins are rate limited because someone guesses passwords.
    if (isChatError(error)) return { page, cookies }
    throw error
  }
}
