import { fold } from '../../../storage/index.ts'
import { escapeText } from '../../markup/html.ts'

const START = '<span class="highlight">'
const END = '</span>'
const tagOrText = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+|</gi
const entity = /&(?:amp|lt|gt|quot|nbsp|#39|#x27);/
const characters = new RegExp(`${entity.source}|[^]`, 'gu')
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII except the character that begins an entity.
const isPlain = /^[\x00-\x25\x27-\x7f]*$/
const named: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&#39;': "'",
  '&#x27;': "'",
}

/** Marks parts in texts. Takes time linear in the text, whatever the text and the parts. */
export interface Highlighter {
  /**
   * Rendered HTML with the parts marked where they occur in its texts. Tags and attributes stay unchanged, and so do
   * formulas, whose text is not displayed as it is written.
   */
  html(html: string): string
  /** A plain text as HTML, with the parts marked. */
  plain(text: string): string
}

/** @param folded as `searchParts` makes them */
export function highlighter(folded: readonly string[]): Highlighter {
  const parts = folded.map(partOf)
  return {
    html(html) {
      if (parts.length === 0) return html
      let inFormula = 0
      return html.replace(tagOrText, (piece, close: string | undefined, name: string | undefined) => {
        if (name === undefined) return inFormula > 0 ? piece : highlightText(piece, parts)
        if (name === 'math' || name === 'svg') inFormula += close ? -1 : 1
        return piece
      })
    },
    plain: (text) => highlightText(escapeText(text), parts),
  }
}

/** @param text HTML without tags */
function highlightText(text: string, parts: readonly Part[]): string {
  const { folded, pieces, from } = foldText(text)
  const marks = marksIn(folded, parts)
  if (!marks) return text
  // Folding may change how many characters there are: the positions in the original text are kept as well.
  if (!pieces) return wrapped(marks, (start, end) => text.slice(start, end))
  const own = new Uint8Array(pieces.length)
  for (let i = 0; i < marks.length; i++) if (marks[i]) own[from![i]!] = 1
  return wrapped(own, (start, end) => pieces.slice(start, end).join(''))
}

interface Folded {
  folded: string
  /**
   * The characters of the text, and for each folded character the index of its original; absent where both are the
   * same.
   */
  pieces?: readonly string[]
  from?: readonly number[]
}

function foldText(text: string): Folded {
  if (isPlain.test(text)) return { folded: text.toLowerCase().replace(/\s/g, ' ') }
  const pieces = text.match(characters) ?? []
  const from: number[] = []
  let folded = ''
  for (const [i, piece] of pieces.entries()) {
    const form = /\s/.test(piece) ? ' ' : fold(named[piece] ?? piece)
    folded += form
    for (let k = 0; k < form.length; k++) from.push(i)
  }
  return { folded, pieces, from }
}

/** A part with its failure function: after a mismatch, how much of it has already matched. */
interface Part {
  text: string
  fallback: Uint32Array
}

function partOf(text: string): Part {
  const fallback = new Uint32Array(text.length + 1)
  for (let i = 1, matched = 0; i < text.length; i++) {
    while (matched > 0 && text[i] !== text[matched]) matched = fallback[matched]!
    if (text[i] === text[matched]) matched++
    fallback[i + 1] = matched
  }
  return { text, fallback }
}

/**
 * Which characters belong to an occurrence of a part, including overlapping ones (Knuth, Morris, Pratt); undefined
 * where none does.
 */
function marksIn(folded: string, parts: readonly Part[]): Uint8Array | undefined {
  let marks: Uint8Array | undefined
  for (const { text, fallback } of parts) {
    const first = folded.indexOf(text)
    if (first < 0) continue
    marks ??= new Uint8Array(folded.length)
    let marked = 0
    for (let i = first, matched = 0; i < folded.length; i++) {
      while (matched > 0 && folded[i] !== text[matched]) matched = fallback[matched]!
      if (folded[i] === text[matched]) matched++
      if (matched < text.length) continue
      marks.fill(1, Math.max(marked, i + 1 - text.length), i + 1)
      marked = i + 1
      matched = fallback[matched]!
    }
  }
  return marks
}

function wrapped(marks: Uint8Array, cut: (start: number, end: number) => string): string {
  let result = ''
  for (let start = 0; start < marks.length; ) {
    let end = start + 1
    while (end < marks.length && marks[end] === marks[start]) end++
    result += marks[start] === 1 ? START + cut(start, end) + END : cut(start, end)
    start = end
  }
  return result
}
