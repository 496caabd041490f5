import { FastResponse } from 'srvx'
import type { Asset } from '../../core/kernel/transport.ts'
import type { Exchange } from '../exchange.ts'
import { isCached } from './bytes.ts'

/** Sends a file of a web page, unless the browser has it. It is the same for everybody, so no header is about its reader. */
export function sendAsset(exchange: Exchange, { bytes, etag, headers }: Asset): Response {
  const { req } = exchange.event
  const all = { ...headers, etag, vary: 'accept-encoding' }
  if (isCached(req.headers.get('if-none-match'), etag)) return new FastResponse(null, { status: 304, headers: all })
  const isHead = req.method === 'HEAD'
  exchange.sent = isHead ? 0 : bytes.length
  const body = isHead ? null : (bytes as Uint8Array<ArrayBuffer>)
  return new FastResponse(body, { headers: { ...all, 'content-length': String(bytes.length) } })
}
