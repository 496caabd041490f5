import { FastResponse } from 'srvx'
import { commonHeaders, type Exchange } from '../exchange.ts'

/** Sends plain text that browsers don't treat as a page. */
export const sendText = (exchange: Exchange, { text }: { text: string }): Response =>
  new FastResponse(text, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...commonHeaders(exchange),
    },
  })
