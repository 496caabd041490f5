import type { H3Event } from 'h3'
import { badRequest } from '../../core/errors.ts'
import type { Transport } from '../../core/transport.ts'

/** The paths of the API for signed-in browsers. */
export const BROWSER_PREFIX = '/json'
const COOKIE = 'chat_session'
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
export function sessionKey({ url, req }: H3Event): string | undefined {
  if (url.pathname.startsWith('/api/')) return undefined
  const key = cookieOf(req.headers.get('cookie'))
  if (key === undefined || /^(GET|HEAD)$/.test(req.method)) return key
  if (!req.headers.get(PROOF_HEADER)) throw badRequest(`A browser's requests need the header ${PROOF_HEADER}`)
  return key
}

const cookieOf = (header: string | null): string | undefined =>
  header === null ? undefined : new RegExp(`(?:^|;)\\s*${COOKIE}=([\\w-]{1,100})`).exec(header)?.[1]

/** The result as it may be answered, and the cookie that goes with it. */
export function applySession(
  session: NonNullable<Transport['session']>,
  result: object,
  isSecure: boolean,
): { answer: object; cookie: string } {
  const { api_key, ...answer } = result as { api_key?: string }
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  if (session === 'end') return { answer, cookie: `${COOKIE}=; Max-Age=0; ${attributes}` }
  return { answer, cookie: `${COOKIE}=${api_key}; Max-Age=${MAX_AGE_SECONDS}; ${attributes}` }
}
