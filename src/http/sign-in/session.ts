import type { H3Event } from 'h3'
import { badRequest } from '../../core/errors.ts'
import type { Transport } from '../../core/transport.ts'

/** The paths of the API for signed-in browsers. */
export const BROWSER_PREFIX = '/json'
const COOKIE = 'chat_session'
/** A name that begins like this a browser takes from this very host over https alone, so no neighbouring domain can plant a session. */
const SECURE_PREFIX = '__Host-'
const cookieName = (isSecure: boolean): string => (isSecure ? SECURE_PREFIX : '') + COOKIE
/** As long as browsers keep a cookie. */
const MAX_AGE_SECONDS = 400 * 24 * 3600
/** Pages of other sites cannot send a header of their own without asking, and nobody says yes to them. */
const PROOF_HEADER = 'x-requested-with'

/**
 * The key in a browser's cookie. The API itself takes no cookies; below /json requests that change something must show
 * that they come from a page of this server.
 *
 * @throws ChatError BAD_REQUEST without the header that shows it
 */
export function sessionKey(event: H3Event, isSecure: boolean): string | undefined {
  const { url, req } = event
  if (url.pathname.startsWith('/api/')) return undefined
  const key = cookieOf(req.headers.get('cookie'), cookieName(isSecure))
  if (key !== undefined && !/^(GET|HEAD)$/.test(req.method)) requireOwnPage(event)
  return key
}

/**
 * Refuses what a page of another site may have sent: a change with a session, and a sign-in, which would make the browser that of
 * somebody else's account.
 *
 * @throws BAD_REQUEST without the header
 */
export function requireOwnPage({ req }: H3Event): void {
  if (!req.headers.get(PROOF_HEADER)) throw badRequest(`A browser's requests need the header ${PROOF_HEADER}`)
}

const cookieOf = (header: string | null, name: string): string | undefined =>
  header === null ? undefined : new RegExp(`(?:^|;)\\s*${name}=([\\w-]{1,100})`).exec(header)?.[1]

/** The result as it may be answered, and the cookie that goes with it. */
export function applySession(
  session: NonNullable<Transport['session']>,
  result: object,
  isSecure: boolean,
): { answer: object; cookie: string } {
  const { api_key, ...answer } = result as { api_key?: string }
  if (session === 'end') return { answer, cookie: endedCookie(isSecure) }
  return { answer, cookie: cookie(`${api_key}; Max-Age=${MAX_AGE_SECONDS}`, isSecure) }
}

/** Takes the cookie from a browser. */
export const endedCookie = (isSecure: boolean): string => cookie('; Max-Age=0', isSecure)

const cookie = (value: string, isSecure: boolean): string =>
  `${cookieName(isSecure)}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
