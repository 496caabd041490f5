import { FastResponse } from 'srvx'
import { commonHeaders, type Exchange } from '../exchange.ts'

/** Sends a plain text, which no browser takes for a page. */
export const sendText = (exchange: Exchange, { text }: { text: string }): Response =>
  new FastResponse(text, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...commonHeaders(exchange),
    },
  })
