import { FastResponse } from 'srvx'
import { encodedPieces, type JsonPieces, type PiecedAnswer } from '../../core/base/kept-json.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'
import { jsonHeaders } from '../responses.ts'
import { streamBody } from './stream.ts'

/**
 * Sends an answer piece by piece, as the client takes them. Pieces that many answers share are not copied, so that
 * hundreds of clients that start at once need the memory of one.
 */
export function sendPieces(exchange: Exchange, answer: PiecedAnswer, ignored: readonly string[]): Response {
  const rest = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : ''
  const pieces = [Buffer.from('{"result":"success","msg":"",'), ...answer.wirePieces(), Buffer.from(`${rest}}`)]
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const headers = { ...jsonHeaders, 'content-length': String(length), ...commonHeaders(exchange) }
  const shared = new Set<unknown>(pieces)
  const body = streamBody(exchange, inTurn(pieces), (piece) => !shared.has(piece))
  return new FastResponse(body, { status: 200, headers })
}

async function* inTurn(pieces: JsonPieces): AsyncGenerator<Uint8Array> {
  yield* encodedPieces(pieces)
}
