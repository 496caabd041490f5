import { FastResponse } from 'srvx'
import type { ServedFile } from '../../core/kernel/answers.ts'
import { ChatError } from '../../core/kernel/errors.ts'
import type { Exchange } from '../exchange.ts'
import { commonHeaders } from '../exchange.ts'
import type { Headers } from '../responses.ts'
import { streamBody } from './stream.ts'

const cacheHeaders: Readonly<Record<ServedFile['cache'], string>> = {
  forever: 'public, max-age=31536000, immutable',
  day: 'public, max-age=86400',
  private: 'private, no-cache',
}

/** Sends a file, or the requested range of it, unless the client has it cached. */
export function sendBytes(exchange: Exchange, file: ServedFile): Response {
  const { req } = exchange.event
  const etag = `"${file.version}"`
  const headers = headersOf(exchange, file, etag)
  if (isCached(req.headers.get('if-none-match'), etag)) return new FastResponse(null, { status: 304, headers })
  const range = rangeOf(req.headers, file.size, etag)
  const { start, end } = range ?? { start: 0, end: file.size }
  const status = range ? 206 : 200
  headers['content-length'] = String(end - start)
  headers['content-type'] = file.content_type
  if (range) headers['content-range'] = `bytes ${start}-${end - 1}/${file.size}`
  const isOwn = () => file.ownPieces === true
  const body = req.method === 'HEAD' ? null : streamBody(exchange, file.read(start, end), isOwn)
  return new FastResponse(body, { status, headers })
}

/** Headers that keep browsers from running the file as a page, whatever it contains. */
function headersOf(exchange: Exchange, file: ServedFile, etag: string): Headers {
  const { cache, content_encoding, embed, download_as } = file
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': download_as === undefined ? 'inline' : attachment(download_as),
    'cross-origin-resource-policy': embed === 'everywhere' ? 'cross-origin' : 'same-origin',
    'cache-control': cacheHeaders[cache],
    'accept-ranges': 'bytes',
    etag,
    ...(content_encoding && { vary: 'accept-encoding' }),
    ...(content_encoding && content_encoding !== 'identity' && { 'content-encoding': content_encoding }),
    // Publicly cacheable responses must not contain headers about the user who requested them first.
    ...(cache === 'private' && commonHeaders(exchange)),
  }
}

/** RFC 6266: an ASCII name for old clients, and the real one. */
function attachment(name: string): string {
  const plain = name.replace(/[^\w. -]/g, '_')
  const percent = (c: string) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, percent)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Returns whether the client has these bytes already, by its If-None-Match header. */
export function isCached(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch
    .split(',')
    .some((known) => /^\s*(?:W\/)?(.*?)\s*$/.exec(known)?.[1] === etag || known.trim() === '*')
}

/** Returns the requested range; undefined for the entire file, also if several ranges are requested. */
function rangeOf(headers: { get(name: string): string | null }, size: number, etag: string) {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? []
  const condition = headers.get('if-range')
  if ((first === '' && last === '') || (condition !== null && condition !== etag)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (start < end) return { start, end }
  // A range that ends before it begins is invalid, and the header is ignored.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  throw new ChatError('RANGE_NOT_SATISFIABLE', `The requested range is outside of the file, which has ${size} bytes`, {
    size,
  })
}
