import type { Block } from './tree.ts'

/** Maximum nesting of quotes and lists. Deeper ones are read as plain text, so nothing typed is lost. */
export const MAX_DEPTH = 24

const opener = /^( *)(~{3,}|`{3,}) *(?:\{?\.?([\w+\-.,/#]+) *([^ ~`][^~`]*)?\}?)?$/
const container = /^(?:quoted?|spoiler)$/i
const anyItem = /^(?:[*+-]|\d+\.) /
/**
 * A list item that may directly follow a line of text. A year that ends a sentence at the start of a line must not
 * begin a list.
 */
const item = /^ *(?:[*+-]|\d\.) +/
const orderedItem = /^ *\d/

/** Placeholder in the lines for the fenced block with this index. */
const placeholder = (index: number): string => `\x81${index}\x8d`
const placeholderLine = /^ *\x81(\d+)\x8d$/

/** Lines in which each fenced block is replaced by one placeholder line. */
export interface Lines {
  lines: string[]
  fenced: readonly Block[]
}

/** The fenced block that lines are the placeholder of, if they are one. */
export function fencedBlock(fenced: readonly Block[], lines: readonly string[]): Block | undefined {
  const match = lines.length === 1 ? placeholderLine.exec(lines[0]!) : null
  return match ? fenced[Number(match[1])] : undefined
}

interface Open {
  /** Columns before the fence: within the enclosing block, and in total. */
  indent: number
  column: number
  fence: string
  language: string
  header: string
  lines: string[]
  /** Whether fences inside open further blocks. */
  holdsBlocks: boolean
  /** Whether the last line at the margin began a list item, below which fences may be indented. */
  inList: boolean
}

/**
 * Replaces the fenced blocks in lines by placeholders.
 *
 * @param depth how many quotes and lists there are around the lines
 * @param parse parses the lines of a quote or spoiler
 */
export function takeFences(
  source: readonly string[],
  depth: number,
  defaultLanguage: string,
  parse: (lines: Lines, depth: number) => Block[],
): Lines {
  const fenced: Block[] = []
  const page = { indent: 0, column: 0, fence: '', language: '', header: '', holdsBlocks: true, inList: false }
  const open: Open[] = [{ ...page, lines: [] }]

  const close = () => {
    const { lines, language, header, indent } = open.pop()!
    // An empty block is left out, unless it has a title.
    if (lines.length === 0 && !(header !== '' && /^spoiler$/i.test(language))) return
    const blocks = () => parse({ lines: spaceLists(lines), fenced }, depth + open.length)
    fenced.push(blockOf(language.toLowerCase(), header.trim(), lines, blocks))
    open.at(-1)!.lines.push('', ' '.repeat(indent) + placeholder(fenced.length - 1), '')
  }

  for (const line of source) {
    const top = open.at(-1)!
    const inner = outdent(line, top.column)
    if (open.length > 1 && inner.trimEnd() === top.fence) close()
    else if (!top.holdsBlocks) top.lines.push(inner.trimEnd())
    else {
      const [, { length: indent } = '', fence, typed, header = ''] = opener.exec(inner) ?? []
      const language = typed ?? defaultLanguage
      const holdsBlocks = container.test(language)
      const isText = (holdsBlocks && depth + open.length > MAX_DEPTH) || (indent > 0 && !top.inList)
      if (fence === undefined || isText) {
        top.lines.push(inner)
        if (inner !== '' && !inner.startsWith(' ')) top.inList = anyItem.test(inner)
      } else
        open.push({ ...page, indent, column: top.column + indent, fence, language, header, holdsBlocks, lines: [] })
    }
  }
  while (open.length > 1) close()
  return { lines: spaceLists(open[0]!.lines), fenced }
}

function blockOf(language: string, header: string, lines: readonly string[], blocks: () => Block[]): Block {
  switch (language) {
    case 'quote':
    case 'quoted':
      return { kind: 'element', tag: 'blockquote', text: '', blocks: blocks() }
    case 'spoiler':
      return { kind: 'spoiler', header, blocks: blocks() }
    case 'math':
      return { kind: 'formulas', text: lines.join('\n') }
    default:
      return { kind: 'code', language, text: lines.join('\n') }
  }
}

function outdent(line: string, width: number): string {
  let count = 0
  while (count < width && line[count] === ' ') count++
  return line.slice(count)
}

/** Inserts a blank line between text and a list that follows it directly, and between lists of different kinds. */
function spaceLists(lines: readonly string[]): string[] {
  const result: string[] = []
  let before = ''
  for (const line of lines) {
    if (
      before !== '' &&
      item.test(line) &&
      (!item.test(before) || orderedItem.test(before) !== orderedItem.test(line))
    ) {
      result.push('')
    }
    result.push(line)
    before = line
  }
  return result
}
