import { FastResponse } from 'srvx'
import type { Redirect } from '../../core/transport.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'

/** Sends the client elsewhere. After a change that is a page to GET, not the same change again (303). */
export const sendRedirect = (exchange: Exchange, { location }: Redirect): Response =>
  new FastResponse(null, {
    status: /^(GET|HEAD)$/.test(exchange.event.req.method) ? 302 : 303,
    headers: {
      location: checked(location),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...commonHeaders(exchange),
    },
  })

const HERE = 'http://here.invalid'

/** @NOTE browsers take a path that begins with two slashes, or a slash and a backslash, for another host. */
function checked(location: string): string {
  const url = new URL(location, HERE)
  const isPath = location.startsWith('/')
  if (isPath !== (url.origin === HERE) || !/^https?:$/.test(url.protocol)) {
    throw new Error(`a redirect needs a path or an http URL, not ${JSON.stringify(location)}`)
  }
  return isPath ? url.href.slice(HERE.length) : url.href
}
