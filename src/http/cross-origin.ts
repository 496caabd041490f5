import type { EventHandler, H3Event } from 'h3'
import { FastResponse } from 'srvx'

/** Headers that scripts of other sites may read besides the few that browsers always show. */
const EXPOSED =
  'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Tus-Resumable, Upload-Offset, Upload-Length, Location'
/** A day: how long browsers remember the answer of a preflight request, if they do not have a lower limit. */
const REMEMBERED_SECONDS = '86400'

/**
 * Lets pages of any site call an API whose credentials are keys. Browsers send no cookies along, since the answer doesn't allow
 * credentials, so a page can do nothing that its own key doesn't allow.
 *
 * Source: https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export const crossOrigin =
  (handler: EventHandler): EventHandler =>
  (event) => {
    const { headers } = event.req
    if (!headers.has('origin')) return handler(event)
    const method = headers.get('access-control-request-method')
    if (event.req.method === 'OPTIONS' && method !== null) return preflight(event, method)
    const answer = handler(event)
    return answer instanceof Promise ? answer.then(shared) : shared(answer)
  }

/** Lets pages of any site read the answer to a request that reached no handler. */
export const readable = ({ req }: H3Event, answer: Response): Response =>
  req.headers.has('origin') ? shared(answer) : answer

function shared<T>(answer: T): T {
  if (answer instanceof Response) {
    answer.headers.set('access-control-allow-origin', '*')
    answer.headers.set('access-control-expose-headers', EXPOSED)
  }
  return answer
}

const preflight = ({ req }: H3Event, method: string): Response =>
  new FastResponse(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': method,
      'access-control-allow-headers': req.headers.get('access-control-request-headers') ?? '',
      'access-control-max-age': REMEMBERED_SECONDS,
      vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  })
