import { escapeText } from './html.ts'
import { plainText } from './plain-text.ts'

/** Beyond this many comparisons the changed middle is shown as one replacement. */
const MAX_COMPARISONS = 250_000

/**
 * What changed between two rendered texts, word by word, as HTML that takes over only their text, none of their
 * markup.
 */
export function diffHtml(before: string, after: string): string {
  const a = wordsOf(before)
  const b = wordsOf(after)
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const middle = changes(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const html = [escaped(a.slice(0, start)), ...middle, escaped(a.slice(a.length - end))].join('')
  return `<div><p>${html.replaceAll('\n', '<br>\n')}</p></div>`
}

/** Words and the text between them. */
const wordsOf = (html: string): string[] => plainText(html).match(/\s+|[^\s]+/g) ?? []
const escaped = (words: readonly string[]): string => escapeText(words.join(''))

const marked = (kind: 'inserted' | 'deleted', words: readonly string[]): string =>
  words.length === 0 ? '' : `<span class="highlight_text_${kind}">${escaped(words)}</span>`

/** The longest common sequence of words is unchanged. The text between these words was deleted or inserted. */
function changes(a: readonly string[], b: readonly string[]): string[] {
  if (a.length * b.length > MAX_COMPARISONS || a.length === 0 || b.length === 0) {
    return [marked('deleted', a), marked('inserted', b)]
  }
  // common[i][j]: how many words of a from i on and b from j on can be kept.
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const pieces: string[] = []
  let deleted: string[] = []
  let inserted: string[] = []
  const flush = () => {
    pieces.push(marked('deleted', deleted), marked('inserted', inserted))
    deleted = []
    inserted = []
  }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      flush()
      pieces.push(escapeText(a[i]!))
      i++
      j++
    } else if (j >= b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      deleted.push(a[i++]!)
    } else inserted.push(b[j++]!)
  }
  flush()
  return pieces
}
