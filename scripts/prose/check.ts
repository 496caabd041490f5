import { parseSync } from 'vite'
import { MOST_HEADING_WORDS, MOST_WORDS, phrases } from './words.ts'

/** A piece of prose and its line in its file. */
export interface Text {
  readonly line: number
  readonly text: string
  readonly isHeading?: boolean
}

/** A phrase to rewrite. */
export interface Finding {
  readonly line: number
  readonly message: string
}

/** Returns what to rewrite in texts. */
export const check = (texts: readonly Text[]): Finding[] =>
  texts.flatMap(({ line, text, isHeading }) => {
    const plain = text.replaceAll(/`[^`]*`/g, 'CODE').replaceAll(/“[^”]*”|"[^"\n]*"/g, 'QUOTE')
    const found = phrases.flatMap(({ pattern, advice }) => {
      const [phrase] = pattern.exec(plain) ?? []
      return phrase ? [{ line, message: `"${phrase.trim()}": ${advice}` }] : []
    })
    const limit = isHeading ? MOST_HEADING_WORDS : MOST_WORDS
    const long = sentencesOf(plain).filter((sentence) => wordsIn(sentence) > limit)
    return [...found, ...long.map((each) => ({ line, message: `${wordsIn(each)} words in "${each.slice(0, 40)}…"` }))]
  })

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?:;]\)?)\s+(?=[A-Z*[(])|\n\n/)
const wordsIn = (sentence: string): number => sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0

/** Returns the paragraphs, list items and headings of Markdown, without code, tables and comments. */
export function markdownTexts(markdown: string): Text[] {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, '')
  const lines = markdown
    .replaceAll(/^---\n.*?^---$/gms, blank)
    .replaceAll(/^ *```.*?^ *```$/gms, blank)
    .replaceAll(/<!--.*?-->/gs, blank)
    .replaceAll(/\]\([^)\n]*\)/g, ']')
    .split('\n')
  const texts: { line: number; text: string; isHeading?: boolean }[] = []
  let isOpen = false
  for (const [i, line] of lines.entries()) {
    const isHeading = line.startsWith('#')
    const row = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : undefined
    if (row) for (const text of row.filter(Boolean)) texts.push({ line: i + 1, text })
    else if (isHeading) texts.push({ line: i + 1, text: line.replace(/^#+ /, ''), isHeading })
    else if (line.trim() !== '') {
      if (isOpen && !/^ *(?:[-*]|\d+\.) /.test(line)) texts.at(-1)!.text += ` ${line.trim()}`
      else texts.push({ line: i + 1, text: line.replace(/^ *(?:[-*]|\d+\.) /, '') })
    }
    isOpen = line.trim() !== '' && !isHeading && !row
  }
  return texts
}

/** Returns the comments of TypeScript, of styles and of pages. */
export function commentTexts(source: string): Text[] {
  const found = source.matchAll(
    /(?<=^|[\s{(])\/\*\*?(?=\s)(?<block>.*?)\*\/|(?:^|\s)\/\/ (?<line>[^\n]*(?:\n *\/\/ [^\n]*)*)/gs,
  )
  return [...found].map(({ 0: whole, groups, index }) => ({
    line: source.slice(0, index + whole.search(/\S/)).split('\n').length,
    text: (groups!.block ?? groups!.line ?? '')
      .replaceAll(/^ *(?:\*|\/\/) ?/gm, '')
      .replace(/@example.*/s, '')
      // Tags, list items and paragraphs end a sentence.
      .replaceAll(/\n+(?=@|- )|\n\n+/g, '\r')
      .replaceAll('\n', ' ')
      .replaceAll('\r', '\n\n'),
  }))
}

interface Node {
  type: string
  start: number
  value?: unknown
  quasis?: { value: { cooked: string | null } }[]
  [child: string]: unknown
}

/** Returns the sentences in a program's strings: texts of three words or more, with VALUE for what is computed. */
export function stringTexts(source: string): Text[] {
  const texts: Text[] = []
  const visit = (node: Node): void => {
    if (/^(?:Import|ExportAll|TSLiteral|TaggedTemplate)/.test(node.type)) return
    const text =
      node.type === 'Literal' && typeof node.value === 'string'
        ? node.value
        : node.type === 'TemplateLiteral'
          ? node.quasis!.map(({ value }) => value.cooked ?? '').join('VALUE')
          : ''
    if (/^(?!select |insert |update |delete |with )(?:[\p{L}'’",.:;()/-]+\s+){2,}\S/u.test(text)) {
      texts.push({ line: source.slice(0, node.start).split('\n').length, text: text.replaceAll(/\s*\n\s*/g, '\n\n') })
    }
    for (const child of Object.values(node)) {
      for (const each of Array.isArray(child) ? child : [child]) if (each?.type) visit(each)
    }
  }
  visit(parseSync('file.ts', source).program as unknown as Node)
  return texts
}

/** Returns the names of a file's tests. */
export const testNames = (source: string): Text[] =>
  [...source.matchAll(/^\s*(?:await \w+\.)?test(?:\.\w+)?\(\s*(['"`])(.*?)\1/gm)].map(({ 2: name, index }) => ({
    line: source.slice(0, index).split('\n').length,
    text: name!,
  }))

/** Returns what is wrong with the subject of a commit; undefined if it is fine. */
export function subjectProblem(subject: string): string | undefined {
  if (/^(?:Merge|Revert) /.test(subject)) return undefined
  if (subject.length > 72) return `has ${subject.length} characters, and at most 72 fit`
  const first = /^\S+/.exec(subject)?.[0] ?? ''
  if (!/^[A-Z][a-z]/.test(first)) return 'does not begin with a capitalized verb'
  if (/\.$/.test(subject)) return 'ends with a period'
  if (
    /^(?:The|A|An|This|These|It|What|Who|Each|Every|No|Nobody|One|There|All|Some|Names|\w+(?:ed|ing))$/.test(first) &&
    !/^(?:Embed|Bring|Feed|Need|Shed|Speed|Exceed|Proceed|Seed|String)$/.test(first)
  )
    return `is not imperative: "${first}"`
  return check([{ line: 1, text: subject }])[0]?.message
}
