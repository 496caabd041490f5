import { fencedBlock, type Lines, MAX_DEPTH, takeFences } from './fences.ts'
import { tableIn } from './tables.ts'
import { append, type Block, type Code, type Element, element, isList, lastElement } from './tree.ts'

/** Columns by which a nested list is indented. */
const INDENT = 2

const first = { ul: /^ ?[*+-] +/, ol: /^ ?\d+\. +/ } as const
const indented = /^ {2,3}(?:\d+\.|[*+-]) +/

type ListTag = keyof typeof first

/** The kind of list that a line begins, if any. */
function listAt(line: string): ListTag | undefined {
  return first.ol.test(line) ? 'ol' : first.ul.test(line) ? 'ul' : undefined
}

/** Removes up to `levels` steps of indentation from lines. */
function outdent(lines: readonly string[], levels: number): string[] {
  const prefix = ' '.repeat(INDENT * levels)
  return lines.map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line))
}

/** How many steps a line is indented. */
const levelOf = (line: string): number => Math.floor((line.length - line.trimStart().length) / INDENT)

/**
 * Divides the lines of a list into its items, without their markers. Indented lines belong to the item before.
 */
function itemsOf(lines: readonly string[], tag: ListTag): string[][] {
  const items: string[][] = []
  for (const line of lines) {
    const mark = first[tag].exec(line)
    const last = items.at(-1)
    if (mark) items.push([line.slice(mark[0].length)])
    else if (last && !(indented.test(line) && !last[0]!.startsWith('  '))) last.push(line)
    else items.push([line])
  }
  return items
}

/** The number a list begins with. */
const startOf = (line: string): string => /\d+/.exec(line)![0]

/** The enclosing elements of a block: the innermost decides whether its text gets a paragraph, and where it belongs. */
type Surroundings = 'page' | 'quote' | 'tight list' | 'loose list' | 'moved out'

interface Place {
  around: Surroundings
  depth: number
  fenced: readonly Block[]
  defaultLanguage: string
}

/**
 * Parses the blocks of a message. The grammar is the original Markdown's, which clients of the API expect: blank lines
 * divide blocks, and a block is what its first lines make it.
 *
 * @param defaultLanguage - the language of a fence without one; empty for plain text
 */
export function parseBlocks(text: string, defaultLanguage = ''): Block[] {
  const nested = ({ lines, fenced }: Lines, depth: number): Block[] => {
    const page = element('div')
    parseChunk(page, lines, { around: 'page', depth, fenced, defaultLanguage })
    return page.blocks
  }
  return nested(takeFences(linesOf(text), 0, defaultLanguage, nested), 0)
}

/** Lines with tabs as spaces and blank lines emptied. The two characters removed are the placeholders' own. */
export function linesOf(text: string): string[] {
  const clean = text
    .toWellFormed()
    .replace(/[\x81\x8d]/g, '')
    .replaceAll('\0', '\ufffd')
  const lines = clean.split(/\r\n?|\n/)
  return lines.map((line) => (/^[ \t]*$/.test(line) ? '' : line.includes('\t') ? expandTabs(line) : line))
}

const TAB = 4

function expandTabs(line: string): string {
  let result = ''
  for (const part of line.split(/(\t)/)) result += part === '\t' ? ' '.repeat(TAB - (result.length % TAB)) : part
  return result
}

function parseChunk(parent: Element, lines: readonly string[], place: Place) {
  let blanks = 0
  for (let from = 0; from < lines.length; ) {
    if (lines[from] === '') {
      blanks++
      from++
      continue
    }
    const end = lines.indexOf('', from)
    const to = end < 0 ? lines.length : end
    parseBlock(parent, lines.slice(from, to), place, blanks)
    blanks = 0
    from = to
  }
}

const isHeading = (line: string): boolean => /^#{1,6}\s/.test(line)
const isRule = (line: string): boolean => /^ {0,3}([-_*])(?: {0,2}\1){2,} *$/.test(line)

/** A block is a run of lines that are not blank; `blanks` is the number of blank lines before it. */
function parseBlock(parent: Element, block: readonly string[], place: Place, blanks = 0) {
  const find = (from: number, is: (line: string) => boolean) => {
    while (from < block.length && !is(block[from]!)) from++
    return from
  }
  let heading = -1
  let rule = -1
  for (let from = 0; from < block.length; ) {
    if (belongsToList(parent, block[from]!, place)) return continueList(parent, block.slice(from), place)
    const fence = fencedBlock(place.fenced, block)
    if (fence) return parent.blocks.push(fence)
    if (block[from]!.startsWith(' '.repeat(TAB))) {
      const to = find(from, (line) => !line.startsWith(' '.repeat(TAB)))
      addCode(parent, block.slice(from, to), blanks)
      from = to
      continue
    }
    if (heading < from) heading = find(from, isHeading)
    if (heading === from) {
      addHeading(parent, block[from++]!)
      if (place.around === 'loose list') block = [...block.slice(0, from), ...outdent(block.slice(from), 1)]
      continue
    }
    const table = tableIn(block, from, heading)
    if (rule < from) rule = find(from, isRule)
    if (table) parent.blocks.push(table)
    else if (rule < heading) {
      if (rule > from) parseText(parent, block.slice(from, rule), place)
      append(parent, 'hr')
      from = rule + 1
      continue
    } else parseText(parent, block.slice(from, heading), place)
    from = heading
  }
}

/** Parses a block that contains no heading or rule. */
function parseText(parent: Element, lines: readonly string[], place: Place) {
  const table = tableIn(lines, 0, lines.length)
  const list = place.depth < MAX_DEPTH ? listAt(lines[0]!) : undefined
  const quote = place.depth < MAX_DEPTH ? quoteIn(lines) : -1
  if (table) parent.blocks.push(table)
  else if (list) addList(parent, list, lines, place)
  else if (quote >= 0) {
    if (quote > 0) parseText(parent, lines.slice(0, quote), place)
    addQuote(parent, lines.slice(quote), place)
  } else addParagraph(parent, lines, place)
}

function addCode(parent: Element, lines: readonly string[], blanks: number) {
  const text = lines
    .map((line) => line.slice(TAB))
    .join('\n')
    .trimEnd()
  const last = parent.blocks.at(-1)
  if (last?.kind === 'code' && last.indented) last.text += '\n'.repeat(blanks + 1) + text
  else parent.blocks.push({ kind: 'code', language: '', text, indented: true } satisfies Code)
}

function addHeading(parent: Element, line: string) {
  const { length: level } = /^#+/.exec(line)![0]
  let end = line.length
  while (end > level && line[end - 1] === '#') end--
  append(parent, `h${level}`, line.slice(level, end).trim())
}

const quoted = /^ {0,3}> ?/

/**
 * Returns the line where a quote begins. It continues to the end of the block, whether its lines are marked or not.
 */
function quoteIn(lines: readonly string[]): number {
  const start = lines.findIndex((line) => quoted.test(line))
  // Markers without a text are text.
  return start >= 0 && lines.slice(start).every((line) => /^ {0,3}>\s*$/.test(line)) ? -1 : start
}

function addQuote(parent: Element, lines: readonly string[], { depth, defaultLanguage }: Place) {
  const text = lines.map((line) => (line.trim() === '>' ? '' : line.replace(quoted, '')))
  const nested = (inner: Lines, depth: number): Block[] => {
    const quote = element('blockquote')
    parseChunk(quote, inner.lines, { around: 'quote', depth, fenced: inner.fenced, defaultLanguage })
    return quote.blocks
  }
  append(parent, 'blockquote').blocks = nested(takeFences(text, depth + 1, defaultLanguage, nested), depth + 1)
}

function addParagraph(parent: Element, lines: readonly string[], { around }: Place) {
  const text = lines.join('\n').trimStart()
  if (text === '') return
  if (around !== 'tight list') append(parent, 'p', text)
  else if (parent.blocks.length > 0) parent.blocks.push({ kind: 'tail', text })
  else parent.text = parent.text === '' ? text : `${parent.text}\n${text}`
}

/** Wraps an item's own text in a paragraph, because another paragraph or item follows after a blank line. */
function loosen(item: Element) {
  if (item.text !== '') item.blocks.unshift(element('p', item.text))
  item.text = ''
  item.blocks = item.blocks.map((block) => (block.kind === 'tail' ? element('p', block.text) : block))
}

function addList(parent: Element, tag: ListTag, lines: readonly string[], place: Place) {
  const within = { ...place, depth: place.depth + 1 }
  const items = itemsOf(lines, tag)
  const last = lastElement(parent)
  let list: Element
  if (last?.tag === tag) {
    // A blank line was between them: the items on both sides of it get paragraphs.
    list = last
    loosen(lastElement(list)!)
    parseBlock(append(list, 'li'), items.shift()!, { ...within, around: 'loose list' })
  } else if (isList(parent)) list = parent
  else {
    list = append(parent, tag)
    const start = tag === 'ol' ? startOf(lines[0]!) : '1'
    if (start !== '1') list.attributes = { start }
  }
  for (const item of items) {
    const into = item[0]!.startsWith(' '.repeat(INDENT)) ? lastElement(list)! : append(list, 'li')
    parseBlock(into, item, { ...within, around: 'tight list' })
  }
}

/** Whether an indented block belongs to the item of a list before it. */
const belongsToList = (parent: Element, line: string, { around }: Place): boolean =>
  line.startsWith(' '.repeat(INDENT)) && around !== 'moved out' && (parent.tag === 'li' || isList(lastElement(parent)))

function continueList(parent: Element, lines: readonly string[], place: Place) {
  const { level, within } = itemAt(parent, levelOf(lines[0]!), place.around === 'tight list' ? 1 : 0)
  const block = outdent(lines, level)
  const movedOut: Place = { ...place, around: 'moved out' }
  const inside = lastElement(within)
  if (parent.tag === 'li') {
    const last = lastElement(parent)
    parseBlock(isList(last) ? last : parent, block, movedOut)
  } else if (within.tag === 'li') parseBlock(within, block, movedOut)
  else if (inside?.tag === 'li') {
    if (inside.text !== '') loosen(inside)
    parseBlock(inside, block, movedOut)
  } else parseBlock(append(within, 'li'), block, movedOut)
}

/** Follows the last items down to the level a block is indented to. */
function itemAt(parent: Element, indent: number, level: number): { level: number; within: Element } {
  let within = parent
  while (level < indent) {
    const child = lastElement(within)
    if (!child || !(isList(child) || child.tag === 'li')) break
    if (isList(child)) level++
    within = child
  }
  return { level, within }
}
