import { encodedPieces, type PiecedAnswer } from '../../core/kernel/base/kept-json.ts'
import type { LongAnswer } from './long-answer.ts'

/**
 * An answer whose members are partly bytes already. Pieces that many answers share are not copied, so that hundreds of
 * clients that start at once need the memory of one.
 */
export function piecedAnswer(answer: PiecedAnswer, ignored: readonly string[]): LongAnswer {
  const rest = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : ''
  const pieces = [Buffer.from('{"result":"success","msg":"",'), ...answer.wirePieces(), Buffer.from(`${rest}}`)]
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const shared = new Set<unknown>(pieces)
  return { pieces: encodedPieces(pieces), length, isOwn: (piece) => !shared.has(piece) }
}
