import type { IncomingMessage } from 'node:http'
import { ChatError } from '../core/kernel/errors.ts'
import { basePath } from '../core/kernel/public-url.ts'
import { isReadInPart } from './body/source.ts'
import { commonHeaders, cookieOf, type Exchange, requestId } from './exchange.ts'
import { RateLimitHit } from './guards/quota.ts'
import { loggedPath } from './request-log.ts'
import { knownError, refusal } from './responses.ts'
import { BROWSER_PREFIX, endedCookie } from './sign-in/session.ts'

/** Returns the response for anything thrown. A bug is logged in full, and the client gets only the request's id. */
export function failure(exchange: Exchange, error: unknown): Response {
  // The headers describe the limit that was hit, so they say when to retry.
  if (error instanceof RateLimitHit) exchange.quota = error.quota
  const { event } = exchange
  // The rest of an unread body would be parsed as the next request.
  const request = event.runtime?.node?.req as IncomingMessage | undefined
  const unfinished = request && isReadInPart(request)
  const headers = { ...commonHeaders(exchange), ...(unfinished && { connection: 'close' }) }
  const known = knownError(error)
  if (known?.kind === 'bug') exchange.shell.chat.options.logger.error({ path: loggedPath(event) }, known.message)
  if (known && !event.url.pathname.startsWith(`${basePath(exchange.shell.chat)}${BROWSER_PREFIX}/`))
    return refusal(known, headers)
  if (known?.code === 'INVALID_API_KEY') {
    // The session has ended. Without its cookie, the browser can read public content.
    const cookie = endedCookie(cookieOf(exchange))
    return refusal(known, { ...headers, 'set-cookie': cookie }, 'Session')
  }
  if (known) return refusal(known, headers, 'Session')
  const request_id = requestId(exchange)
  const details = { request_id, method: event.req.method, path: loggedPath(event), err: error }
  exchange.shell.chat.options.logger.error(details, `request ${request_id} failed`)
  const shown = new ChatError('INTERNAL_ERROR', `Internal server error (request ${request_id})`)
  return refusal(shown, { ...headers, 'x-request-id': request_id })
}
