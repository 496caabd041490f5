import { fold } from '../../storage/index.ts'
import { decodeText, entity, escapeText } from '../markup/html.ts'

const START = '<span class="highlight">'
const END = '</span>'
const tagOrText = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+|</gi
const characters = new RegExp(`${entity.source}|[^]`, 'giu')

/**
 * Rendered HTML with the folded parts marked where they occur in its texts. Tags and what they say stay untouched, and
 * formulas, whose text is not what is seen.
 */
export function highlightHtml(html: string, parts: readonly string[]): string {
  if (parts.length === 0) return html
  let inFormula = 0
  return html.replace(tagOrText, (piece, close: string | undefined, name: string | undefined) => {
    if (name === undefined) return inFormula > 0 ? piece : highlightText(piece, parts)
    if (name === 'math' || name === 'svg') inFormula += close ? -1 : 1
    return piece
  })
}

/** A plain text as HTML, with the folded parts marked. */
export const highlightPlain = (text: string, parts: readonly string[]): string => highlightText(escapeText(text), parts)

/** @param text HTML without tags */
function highlightText(text: string, parts: readonly string[]): string {
  const plain = fold(decodeText(text).replace(/\s/g, ' '))
  if (!parts.some((part) => plain.includes(part))) return text
  // Folding may change how many characters there are: which of the text each one comes from is kept beside it.
  const pieces = text.match(characters) ?? []
  let folded = ''
  const from: number[] = []
  for (const [i, piece] of pieces.entries()) {
    const character = decodeText(piece)
    const form = /\s/.test(character) ? ' ' : fold(character)
    folded += form
    for (let k = 0; k < form.length; k++) from.push(i)
  }
  const isMarked = new Set<number>()
  for (const part of parts) {
    for (let at = folded.indexOf(part); at !== -1; at = folded.indexOf(part, at + 1)) {
      for (let k = at; k < at + part.length; k++) isMarked.add(from[k]!)
    }
  }
  if (isMarked.size === 0) return text
  let result = ''
  for (const [i, piece] of pieces.entries()) {
    if (isMarked.has(i) && !isMarked.has(i - 1)) result += START
    result += piece
    if (isMarked.has(i) && !isMarked.has(i + 1)) result += END
  }
  return result
}
