import { fit, folded } from '../writing/matching.ts'

/** The words of a query, folded. */
export const wordsOf = (query: string): readonly string[] => folded(query).split(/\s+/).filter(Boolean)

/** How well a folded text has all words, where less is better; undefined if a word is missing. */
export function rankOf(text: string, words: readonly string[]): number | undefined {
  let rank = 0
  for (const word of words) {
    const one = fit(text, word)
    if (one === undefined) return undefined
    rank += one
  }
  return rank
}

/** Something that was found, and how well it matches. */
export interface Ranked<T> {
  thing: T
  rank: number
}

/** Returns the best matches, in their order among equals. */
export function ranked<T>(
  things: Iterable<T>,
  words: readonly string[],
  textOf: (thing: T) => string,
  most: number,
): Ranked<T>[] {
  const found: Ranked<T>[] = []
  for (const thing of things) {
    const rank = rankOf(textOf(thing), words)
    if (rank !== undefined) found.push({ thing, rank })
  }
  return found.sort((a, b) => a.rank - b.rank).slice(0, most)
}

export interface Piece {
  text: string
  isMatch: boolean
}

/** A text in pieces, with the words of the query marked. */
export function marked(text: string, words: readonly string[]): readonly Piece[] {
  const plain = folded(text)
  // Where folding changes the length, positions in the two texts differ.
  if (plain.length !== text.length) return [{ text, isMatch: false }]
  const isMarked = new Array<boolean>(text.length).fill(false)
  for (const word of words) {
    const at = plain.indexOf(word)
    if (at >= 0) isMarked.fill(true, at, at + word.length)
  }
  const pieces: Piece[] = []
  for (const [i, isMatch] of isMarked.entries()) {
    const last = pieces.at(-1)
    if (last?.isMatch === isMatch) last.text += text[i]
    else pieces.push({ text: text[i]!, isMatch })
  }
  return pieces
}
