import { FastResponse } from 'srvx'
import { isPieced } from '../../core/kernel/base/kept-json.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'
import { type Headers, isPrepared, json, jsonHeaders, successText } from '../responses.ts'
import type { AnyAction } from '../route-types.ts'
import { compressed, compressNow, encodingOf, NOW_BYTES, piecesOf } from './compress.ts'
import { isLong, type LongAnswer, longAnswer } from './long-answer.ts'
import { piecedAnswer } from './pieces.ts'
import { inTurn, streamBody } from './stream.ts'

/**
 * Sends a JSON response, compressed if the client accepts it. Long responses are sent piece by piece, as fast as the client
 * reads.
 */
export function sendJson(exchange: Exchange, action: AnyAction, result: object, ignored: readonly string[]): Response {
  const answer = longAnswerOf(result, ignored) ?? successText(result, ignored)
  const isText = typeof answer === 'string'
  const length = isText ? Buffer.byteLength(answer) : answer.length
  const encoding = encodingOf(exchange, action, result, length)
  const vary = encoding && { vary: 'accept-encoding' }
  if (encoding === undefined || encoding === 'identity') {
    const headers = vary ? { ...commonHeaders(exchange), ...vary } : commonHeaders(exchange)
    return isText ? json(200, answer, headers) : sendLong(exchange, answer, headers)
  }
  const headers = { ...commonHeaders(exchange), ...vary, 'content-encoding': encoding }
  if (length <= NOW_BYTES) {
    return sendWhole(exchange, compressNow(isText ? answer : Buffer.concat([...answer.pieces]), encoding), headers)
  }
  const pieces = compressed(isText ? piecesOf(answer) : answer.pieces, encoding, exchange.shell)
  return new FastResponse(streamBody(exchange, pieces), { headers: { ...jsonHeaders, ...headers } })
}

function longAnswerOf(result: object, ignored: readonly string[]): LongAnswer | undefined {
  if (isPieced(result)) return piecedAnswer(result, ignored)
  return !isPrepared(result) && isLong(result) ? longAnswer(result, ignored) : undefined
}

function sendLong(exchange: Exchange, { pieces, length, isOwn }: LongAnswer, headers?: Headers): Response {
  const known = Number.isFinite(length) && { 'content-length': String(length) }
  const body = streamBody(exchange, inTurn(pieces), isOwn)
  return new FastResponse(body, { headers: { ...jsonHeaders, ...known, ...headers } })
}

function sendWhole(exchange: Exchange, bytes: Uint8Array, headers: Headers): Response {
  const isHead = exchange.event.req.method === 'HEAD'
  exchange.sent = isHead ? 0 : bytes.length
  return new FastResponse(isHead ? null : (bytes as Uint8Array<ArrayBuffer>), {
    headers: { ...jsonHeaders, 'content-length': String(bytes.length), ...headers },
  })
}
