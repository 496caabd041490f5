import type { H3Event } from 'h3'
import { isLoopbackUrl } from '../../core/accounts/dev/dev-keys.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import { cookieIn } from './cookie.ts'
import { provesCsrfToken } from './csrf-token.ts'

/** Path prefix of the API for signed-in browsers. */
export const BROWSER_PREFIX = '/json'
const COOKIE = 'chat_session'

/** How a browser stores its session: the cookie's name, and the attributes for each value. */
export interface SessionCookie {
  readonly name: string
  readonly attributes: string
}

/** The cookies of a server, over HTTP and over HTTPS. */
export interface SessionCookies {
  readonly plain: SessionCookie
  readonly secure: SessionCookie
}

/**
 * Returns the cookies of a server below a base path. With `isFramed`, pages of other sites may embed the web client,
 * and over HTTPS each embedding site has a session cookie of its own (CHIPS).
 */
export function sessionCookies({ base, isFramed }: { base: string; isFramed: boolean }): SessionCookies {
  const common = `Path=${base || '/'}; HttpOnly; SameSite=`
  // Browsers accept __Host- only from this very host and for all its paths, so no neighboring domain can plant a
  // session. Below a base path, such a cookie would reach every other application of the host, and two chats would
  // share it.
  const prefix = base === '' ? '__Host-' : '__Secure-'
  return {
    plain: { name: COOKIE, attributes: `${common}Lax` },
    // A separate name: otherwise the cookie from before embedding was allowed would be sent too, and stay.
    secure: isFramed
      ? { name: `${prefix}${COOKIE}_framed`, attributes: `${common}None; Secure; Partitioned` }
      : { name: `${prefix}${COOKIE}`, attributes: `${common}Lax; Secure` },
  }
}

/** The longest that browsers keep a cookie. */
const MAX_AGE_SECONDS = 400 * 24 * 3600
/** Pages of other sites can't send a custom header without a preflight request, which the server never allows. */
const PROOF_HEADER = 'x-requested-with'

/**
 * Returns the key in a browser's cookie. The API itself accepts no cookies. Below /json, requests that change
 * something must prove that they come from a page of this server, and none may come from another site's.
 *
 * @throws ChatError BAD_REQUEST without the header that proves it, or from a page of another site
 */
export function sessionKey(event: H3Event, base: string, cookie: SessionCookie, isDev: boolean): string | undefined {
  const { url, req } = event
  if (url.pathname.startsWith(`${base}/api/`)) return undefined
  const key = cookieIn(req, cookie.name)
  if (key !== undefined && url.pathname.startsWith(`${base}${BROWSER_PREFIX}/`)) rejectOtherSites(event)
  if (key !== undefined && !/^(GET|HEAD)$/.test(req.method)) requireOwnPage(event, isDev)
  return key
}

/**
 * Returns the key in a browser's cookie, for a page whose form can't send the header. Other sites can't send the cookie
 * with a form (SameSite), and browsers say so if another origin of the same site does.
 *
 * @throws BAD_REQUEST for a form on a page of another origin
 */
export function pageKey({ req }: H3Event, cookie: SessionCookie): string | undefined {
  const key = cookieIn(req, cookie.name)
  const site = req.headers.get('sec-fetch-site')
  if (key !== undefined && !/^(GET|HEAD)$/.test(req.method) && site !== null && site !== 'same-origin') {
    throw badRequest('This request comes from a page of another site. Open the chat directly.')
  }
  return key
}

/**
 * Rejects requests that a page of another site may have sent: a change with a session, or a sign-in, which would sign
 * the browser in to another account.
 *
 * @throws BAD_REQUEST without the header, or if the browser says that the page belongs to another site
 */
export function requireOwnPage(event: H3Event, isDev: boolean): void {
  rejectOtherSites(event)
  const { req } = event
  if (req.headers.get(PROOF_HEADER) || (isDev && provesCsrfToken(req))) return
  throw badRequest(`Browser requests need the header ${PROOF_HEADER}`)
}

/**
 * Rejects requests from pages that are not on this machine. Such a page could otherwise get a key that needs no password,
 * or sign the browser in.
 *
 * @throws BAD_REQUEST
 */
export function requireLocalPage({ req }: H3Event): void {
  const origin = req.headers.get('origin')
  if (origin !== null && !(URL.canParse(origin) && isLoopbackUrl(origin)))
    throw badRequest('This request comes from a page of another site. Only pages on this machine get keys.')
}

/** Browsers say where a request comes from, and no page can change it. A proxy that adds the header can't hide it. */
function rejectOtherSites({ req }: H3Event): void {
  if (req.headers.get('sec-fetch-site') === 'cross-site') {
    throw badRequest('This request comes from a page of another site. Open the chat directly.')
  }
}

/** Returns the result without the key, and the cookie that goes with it. */
export function applySession(
  session: 'begin' | 'end',
  result: object,
  cookie: SessionCookie,
): { answer: object; cookie: string } {
  const { api_key, ...answer } = result as { api_key?: string }
  if (session === 'end') return { answer, cookie: endedCookie(cookie) }
  return { answer, cookie: sessionText(cookie, `${api_key}`) }
}

/** Removes the cookie from a browser. */
export const endedCookie = (cookie: SessionCookie): string => cookieText(cookie, '; Max-Age=0')

/** Puts a key into the browser's session cookie. */
export const sessionText = (cookie: SessionCookie, key: string): string =>
  cookieText(cookie, `${key}; Max-Age=${MAX_AGE_SECONDS}`)

const cookieText = ({ name, attributes }: SessionCookie, value: string): string => `${name}=${value}; ${attributes}`
