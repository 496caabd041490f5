import type { MarkdownIt, StateBlock } from 'markdown-it'

const orderedItem = /^( *)(\d{1,9}[.)] +)\S/
const anyItem = /^ *(?:\d{1,9}[.)]|[-*+]) +\S/
const fence = /^ *(`{3,}|~{3,})/

/**
 * People indent by two spaces below `1.` too, where the parser wants three. Moves such a list, and what follows it
 * at its depth, to where the item's text begins.
 */
function alignSublists(source: string): string {
  if (!/^ *\d{1,9}[.)] /m.test(source) || !/^ +(?:\d{1,9}[.)]|[-*+]) /m.test(source)) return source
  let item: { indent: number; text: number } | undefined
  let shift = 0
  let open: string | undefined
  const lines = source.split('\n').map((line) => {
    const indent = line.search(/[^ ]/)
    if (indent < 0) return line
    if (open === undefined && item && indent <= item.indent) {
      item = undefined
      shift = 0
    }
    if (open === undefined && item && shift === 0 && indent < item.text && anyItem.test(line))
      shift = item.text - indent
    const marks = fence.exec(line)?.[1]
    if (marks && open === undefined) open = marks
    else if (marks && line.trim() === marks && marks.startsWith(open!)) open = undefined
    const match = open === undefined && !item ? orderedItem.exec(line) : null
    if (match) item = { indent: match[1]!.length, text: match[1]!.length + match[2]!.length }
    return shift > 0 ? ' '.repeat(shift) + line : line
  })
  return lines.join('\n')
}

/** In chat a list may follow a line of text and begin at any number; only `1.` may in the parser's own grammar. */
function endsParagraph(state: StateBlock, line: number, _end: number, silent: boolean): boolean {
  if (!silent) return false
  const start = state.bMarks[line]! + state.tShift[line]!
  const digit = state.src.charCodeAt(start)
  if (digit < 48 || digit > 57 || state.sCount[line]! < state.blkIndent) return false
  // One digit only: a year that ends a sentence at the start of a line is no list.
  return /^\d[.)] +\S/.test(state.src.slice(start, start + 40))
}

/** Lists as chat users type them. */
export function lists(md: MarkdownIt) {
  md.core.ruler.before('block', 'align_sublists', (state) => {
    state.src = alignSublists(state.src)
  })
  md.block.ruler.before('list', 'list_after_text', endsParagraph, { alt: ['paragraph'] })
}
