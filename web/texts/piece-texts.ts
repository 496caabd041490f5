import { pieces } from './en/pieces.ts'
import { inOrder } from './in-order.ts'
import { loaded } from './loaded.ts'
import { numbered } from './numbered.ts'

export type PieceTexts = typeof pieces

/** The texts of small parts that are loaded when a message or the composer needs them. */
export const pieceTexts: PieceTexts = numbered(loaded.pieces ? inOrder(pieces, loaded.pieces) : pieces)
