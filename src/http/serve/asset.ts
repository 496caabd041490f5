import { FastResponse } from 'srvx'
import * as v from 'valibot'
import { hasMembers } from '../../core/kernel/answers.ts'
import type { Exchange } from '../exchange.ts'
import { isCached } from './bytes.ts'

/** A complete file of a web page, in the encoding that the client accepts. */
export interface Asset {
  bytes: Uint8Array
  /** The ETag, with its quotation marks: differs whenever the bytes differ. */
  etag: string
  /** Names are in lower case. Headers that follow from the other members are left out. */
  headers: Readonly<Record<string, string>>
}

export const asset = v.custom<Asset>((file) => hasMembers(file, 'bytes', 'etag', 'headers'))

/**
 * Sends a file of a web page, unless the browser has it. The response is the same for everyone, so no header is about
 * its reader.
 */
export function sendAsset(exchange: Exchange, { bytes, etag, headers }: Asset): Response {
  const { req } = exchange.event
  const all = { ...headers, etag, vary: 'accept-encoding' }
  if (isCached(req.headers.get('if-none-match'), etag)) return new FastResponse(null, { status: 304, headers: all })
  const isHead = req.method === 'HEAD'
  exchange.sent = isHead ? 0 : bytes.length
  const body = isHead ? null : (bytes as Uint8Array<ArrayBuffer>)
  return new FastResponse(body, { headers: { ...all, 'content-length': String(bytes.length) } })
}
