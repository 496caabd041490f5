import type { H3Event } from 'h3'
import { beginSession } from '../../core/accounts/sessions.ts'
import type { Context } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import type { Page } from '../serve/page.ts'
import { applySession, type SessionCookie } from './session.ts'

/**
 * Signs the browser in with a page that has given somebody a password, and the page then says so. Only where the browser itself
 * says that the form was on a page of this server: another site could make it the browser of somebody else's account. Browsers
 * say it over HTTPS and on the machine itself; anywhere else one signs in by hand.
 */
export async function beginPageSession(
  visitor: Context,
  { req }: H3Event,
  sessionCookie: SessionCookie,
  page: Page,
): Promise<{ page: Page; cookie?: string }> {
  const { signIn } = page
  if (!signIn || req.headers.get('sec-fetch-site') !== 'same-origin') return { page }
  const { username, password, body } = signIn
  const user_agent = req.headers.get('user-agent')
  try {
    const begun = await beginSession(visitor, { username, password, user_agent })
    const { cookie } = applySession('begin', begun, sessionCookie)
    return { page: { ...page, body }, cookie }
  } catch (error) {
    // What the page says is done all the same, as where somebody guesses passwords of the account.
    if (isChatError(error)) return { page }
    throw error
  }
}
