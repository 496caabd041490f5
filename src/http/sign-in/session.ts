import type { H3Event } from 'h3'
import { badRequest } from '../../core/kernel/errors.ts'
import type { Transport } from '../../core/kernel/transport.ts'

/** The paths of the API for signed-in browsers. */
export const BROWSER_PREFIX = '/json'
const COOKIE = 'chat_session'

/** How a browser's session is kept: the cookie's name, and the attributes that go with each value. */
export interface SessionCookie {
  readonly name: string
  readonly attributes: string
}

/** The cookies of a server: over HTTP, and over HTTPS. */
export interface SessionCookies {
  readonly plain: SessionCookie
  readonly secure: SessionCookie
}

/**
 * The cookies of a server below a base path. With `isFramed`, pages of other sites may embed the web client: over HTTPS
 * the session then has a cookie of its own for each embedding site (CHIPS).
 */
export function sessionCookies({ base, isFramed }: { base: string; isFramed: boolean }): SessionCookies {
  const common = `Path=${base || '/'}; HttpOnly; SameSite=`
  // Browsers take __Host- from this very host and for all its paths only, so no neighboring domain can plant a session.
  // Below a base path it would reach every other application of the host, and two chats there would share it.
  const prefix = base === '' ? '__Host-' : '__Secure-'
  return {
    plain: { name: COOKIE, attributes: `${common}Lax` },
    // Under a name of its own: the one that was kept before embedding was allowed would be sent beside it, and stay.
    secure: isFramed
      ? { name: `${prefix}${COOKIE}_framed`, attributes: `${common}None; Secure; Partitioned` }
      : { name: `${prefix}${COOKIE}`, attributes: `${common}Lax; Secure` },
  }
}

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
export function sessionKey(event: H3Event, base: string, cookie: SessionCookie): string | undefined {
  const { url, req } = event
  if (url.pathname.startsWith(`${base}/api/`)) return undefined
  const key = cookieOf(req.headers.get('cookie'), cookie.name)
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
  cookie: SessionCookie,
): { answer: object; cookie: string } {
  const { api_key, ...answer } = result as { api_key?: string }
  if (session === 'end') return { answer, cookie: endedCookie(cookie) }
  return { answer, cookie: cookieText(cookie, `${api_key}; Max-Age=${MAX_AGE_SECONDS}`) }
}

/** Takes the cookie from a browser. */
export const endedCookie = (cookie: SessionCookie): string => cookieText(cookie, '; Max-Age=0')

const cookieText = ({ name, attributes }: SessionCookie, value: string): string => `${name}=${value}; ${attributes}`
