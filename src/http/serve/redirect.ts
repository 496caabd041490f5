import { FastResponse } from 'srvx'
import type { Redirect } from '../../core/kernel/answers.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'

/** Redirects the client. After a change the status is 303, so that the client doesn't repeat the change. */
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

/** @NOTE browsers interpret a path that begins with two slashes, or a slash and a backslash, as another host */
function checked(location: string): string {
  const url = new URL(location, HERE)
  const isPath = location.startsWith('/')
  if (isPath !== (url.origin === HERE) || !/^https?:$/.test(url.protocol)) {
    throw new Error(`a redirect needs a path or an http URL, not ${JSON.stringify(location)}`)
  }
  return isPath ? url.href.slice(HERE.length) : url.href
}
