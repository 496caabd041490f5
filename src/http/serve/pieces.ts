import { encodedPieces, type PiecedAnswer } from '../../core/kernel/base/kept-json.ts'
import type { LongAnswer } from './long-answer.ts'

/**
 * Creates a response whose members are partly bytes already. Pieces that many responses share aren't copied, so that
 * hundreds of clients that start together need the memory of one.
 */
export function piecedAnswer(answer: PiecedAnswer, ignored: readonly string[]): LongAnswer {
  const rest = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : ''
  const pieces = [Buffer.from('{"result":"success","msg":"",'), ...answer.wirePieces(), Buffer.from(`${rest}}`)]
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const shared = new Set<unknown>(pieces)
  return { pieces: encodedPieces(pieces), length, isOwn: (piece) => !shared.has(piece) }
}
