import type { H3Event } from 'h3'
import type { Clock } from '../core/kernel/base/clock.ts'
import { contextOf, requestId } from './exchange.ts'
import type { RequestLogEntry } from './request-log-entry.ts'
import { bytesOf } from './responses.ts'

/**
 * Returns a hook that writes the entries of an access log after each response. `startedAt` is measured with
 * `performance.now()`.
 */
export const requestLogging =
  (clock: Clock, newId: () => string, log: (entry: RequestLogEntry) => void) =>
  (response: Response, event: H3Event, startedAt: number): void => {
    const { exchange } = contextOf(event)
    const { method } = event.req
    const hasBody = method !== 'HEAD' && response.status !== 204 && response.status !== 304
    const write = () =>
      log({
        time: clock.now(),
        method,
        path: loggedPath(event),
        status: response.status,
        ms: performance.now() - startedAt,
        bytes: exchange?.sent || (hasBody ? bytesOf(response) : 0),
        // Zero for visitors without an account.
        user_id: exchange?.who?.user.id,
        address: exchange ? exchange.client.address : event.req.ip,
        request_id: exchange ? requestId(exchange) : newId(),
      })
    if (exchange?.streaming) exchange.atEnd.push(write)
    else write()
  }

const SECRET_NAME = /key|password|token|secret/i
const HARMLESS_VALUE = /^(-?\d{1,15}|true|false)$/

/** Keys, tokens and the random parts of addresses are longer than this. */
const MAX_SHOWN_SEGMENT = 19

/** The parts of a request that describe its address. */
type Located = Pick<H3Event, 'url' | 'context'>

/** Returns the path and query with everything that could be a secret or a user's text replaced with `…`. */
export const loggedPath = ({ url, context }: Located): string =>
  shownPath(url.pathname, context.matchedRoute?.route) + shownQuery(url.search)

function shownPath(pathname: string, route = ''): string {
  if (pathname.length <= MAX_SHOWN_SEGMENT || pathname === route) return pathname
  const words = route.split('/')
  const show = (segment: string, i: number) =>
    segment === words[i] || segment.length <= MAX_SHOWN_SEGMENT ? segment : '…'
  return pathname.split('/').map(show).join('/')
}

function shownQuery(search: string): string {
  if (search.length <= 1) return ''
  const shown = search
    .slice(1)
    .split('&')
    .map((part) => {
      const [name = '', value = ''] = part.split(/=(.*)/s, 2)
      return HARMLESS_VALUE.test(value) && !SECRET_NAME.test(name) ? part : `${name}=…`
    })
  return `?${shown.join('&')}`
}

/** Returns ids for requests: short, and unique in the logs of all processes. */
export function requestIds(start: string): () => string {
  let count = 0
  return () => `${start}${(++count).toString(36)}`
}
