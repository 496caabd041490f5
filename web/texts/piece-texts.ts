import { pieces } from './en/pieces.ts'

export type PieceTexts = typeof pieces

/** The texts of small parts that are loaded when a message or the composer needs them. */
export const pieceTexts: PieceTexts = pieces
