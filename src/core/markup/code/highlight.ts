import { lazy } from '../../kernel/base/lazy.ts'
import { highlighter, loadHighlighter } from '../lazy.ts'
import type { RenderState } from '../state.ts'
import { languages } from './languages.ts'
import { toPygments } from './pygments.ts'

/**
 * Many grammars of highlight.js take time that grows with the square of what they are given, so code is
 * highlighted in pieces. Measured over all grammars: a piece of this length takes at most 10 ms.
 */
const STRETCH = 2000
/** Fixed cost of a block, in characters of the message's budget. */
const BLOCK_COST = 50

/** Words, lines and gaps longer than in real code, at which grammars are slowest. */
const unlikeCode = /[\w$]{60}|[^\n]{500}|(?:\n[ \t]*){12}/

/** Substitute grammars for languages that have none, or one that hangs on a single `$`. */
const substitutes: ReadonlyMap<string, string> = new Map([
  ...['pgsql', 'postgres', 'postgresql'].map((name) => [name, 'sql'] as const),
  ...['py2', 'python2'].map((name) => [name, 'python'] as const),
  ...['css', 'html', 'javascript', 'js', 'xml'].map((name) => [`${name}+php`, 'php'] as const),
])

const known = lazy(() => {
  const byAlias = new Map<string, { name: string; aliases: readonly string[] }>()
  for (const line of languages.trim().split('\n')) {
    const [name, list] = line.split(': ') as [string, string]
    const aliases = list.split(' ')
    for (const alias of aliases) byAlias.set(alias.toLowerCase(), { name, aliases })
  }
  return byAlias
})

/** The name a client shows above code: the language's, or what was typed if the language is unknown. */
export const languageName = (typed: string): string => known().get(typed)?.name ?? typed

/** The grammar for what was typed, by any of its names. */
function grammarOf(typed: string): { id: string; name: string } | undefined {
  for (const id of [substitutes.get(typed) ?? typed, ...(known().get(typed)?.aliases ?? [])]) {
    const name = highlighter().getLanguage(id)?.name
    if (name !== undefined) return { id, name }
  }
  return undefined
}

/** The language of a block, also in quotations; empty if none was typed. */
const fence = /^[> ]*(?:`{3,}|~{3,})[ {.]*([\w#.+-]*)/gm
/** Fences with these names, or without one, contain no code to highlight. */
const notCode: ReadonlySet<string> = new Set(['', 'math', 'quote', 'quoted', 'spoiler'])
/** Characters of a block that are highlighted to compile its grammar. */
const SAMPLE = 500
const compiled = new Set<string>()

/**
 * Loads the highlighter, and compiles the grammars that a text needs for the first time. It yields between the steps.
 * Each takes a few milliseconds, so callers let other work run in between.
 *
 * @param defaultLanguage of blocks without one
 * @returns a generator of the compiled grammars, and of `undefined` after other steps
 */
export function* compileGrammars(text: string, defaultLanguage = ''): Generator<string | undefined> {
  for (const { 0: opening, 1: typed, index } of text.matchAll(fence)) {
    const language = (typed || defaultLanguage).toLowerCase()
    if (notCode.has(language)) continue
    for (const _ of loadHighlighter()) yield undefined
    const id = grammarOf(language)?.id
    if (id === undefined || compiled.has(id)) continue
    compiled.add(id)
    // Parts of a grammar are compiled when they first match, so the block itself tells which.
    const start = index + opening.length
    const [code = ''] = text.slice(start, start + SAMPLE).split(/^[> ]*(?:`{3}|~{3})/m, 1)
    highlighter().highlight('', { language: id, ignoreIllegals: true })
    yield undefined
    if (!unlikeCode.test(code)) highlighter().highlight(code, { language: id, ignoreIllegals: true })
    yield id
  }
}

/** Where to cut a piece: before its last line that is not indented, else before its last line, else at its end. */
function cutOf(part: string): number {
  for (let end = part.lastIndexOf('\n'); end > STRETCH / 2; end = part.lastIndexOf('\n', end - 1)) {
    if (/\S/.test(part.charAt(end + 1))) return end + 1
  }
  return part.lastIndexOf('\n') + 1 || part.length
}

/** Cuts code where a new statement seems to begin, so that few strings and comments are cut. */
function stretches(code: string): string[] {
  const parts: string[] = []
  let rest = code
  while (rest.length > STRETCH) {
    const cut = cutOf(rest.slice(0, STRETCH))
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...parts, rest]
}

/**
 * Code as HTML with Pygments' classes; beyond the message's budget without classes.
 *
 * @param typed a language in lower case
 */
export function highlight(state: RenderState, code: string, typed: string, toHtml: (text: string) => string): string {
  const grammar = typed === '' || state.codeLeft < 0 ? undefined : grammarOf(typed)
  if (!grammar) return toHtml(code)
  state.codeLeft -= BLOCK_COST
  // A shebang line is not a comment of the language.
  const [program = ''] = /^#!.*/.exec(code) ?? []
  const start = program === '' ? '' : `<span class="ch">${toHtml(program)}</span>`
  const html = stretches(code.slice(program.length)).map((part) => {
    state.codeLeft -= part.length
    if (state.codeLeft < 0 || unlikeCode.test(part)) return toHtml(part)
    const { value } = highlighter().highlight(part, { language: grammar.id, ignoreIllegals: true })
    return toPygments(value, grammar.name, toHtml)
  })
  return start + html.join('')
}
