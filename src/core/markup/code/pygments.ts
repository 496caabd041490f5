import { decodeText } from '../html.ts'
import { type Profile, profileOf } from './profiles.ts'

/** Pygments' class for each scope of highlight.js; clients style the former. A scope that is not listed gets none. */
const classes: Readonly<Record<string, string>> = {
  keyword: 'k',
  built_in: 'nb',
  type: 'kt',
  literal: 'kc',
  number: 'mi',
  operator: 'o',
  punctuation: 'p',
  property: 'py',
  regexp: 'sr',
  string: 's',
  'char escape_': 'se',
  subst: 'si',
  symbol: 'ss',
  class: 'nc',
  variable: 'nv',
  'variable language_': 'bp',
  'variable constant_': 'no',
  title: 'nf',
  'title class_': 'nc',
  'title class_ inherited__': 'nc',
  'title function_': 'nf',
  'title function_ invoke__': 'nf',
  comment: 'c1',
  doctag: 'cs',
  meta: 'cp',
  'meta prompt_': 'gp',
  section: 'gh',
  tag: 'p',
  name: 'nt',
  attr: 'na',
  attribute: 'na',
  bullet: 'o',
  code: 'sb',
  emphasis: 'ge',
  strong: 'gs',
  link: 'sx',
  quote: 'c',
  'selector-tag': 'nt',
  'selector-id': 'nn',
  'selector-class': 'nc',
  'selector-attr': 'na',
  'selector-pseudo': 'nd',
  'template-tag': 'cp',
  'template-variable': 'nv',
  addition: 'gi',
  deletion: 'gd',
}

const anyName = /[\p{L}_$][\p{L}\p{N}_$]*/uy

interface Token {
  kind: string
  text: string
}

/** Divides plain code into names, punctuation and operators. */
function tokensOf(text: string, { name, punctuation, operator, marks = {} }: Profile): Token[] {
  const tokens: Token[] = []
  const take = (at: number, kind: string | undefined, pattern: RegExp | undefined): Token | undefined => {
    if (!kind || !pattern) return undefined
    pattern.lastIndex = at
    const match = pattern.exec(text)
    return match ? { kind, text: match[0] } : undefined
  }
  for (let at = 0; at < text.length; at += tokens.at(-1)!.text.length) {
    const token = take(at, name, anyName) ?? take(at, 'p', punctuation) ?? take(at, 'o', operator)
    const mark = text[at]!
    tokens.push(token ?? { kind: Object.hasOwn(marks, mark) ? marks[mark]! : '', text: mark })
  }
  return tokens
}

const quoteKinds: Readonly<Record<string, string>> = { '"': 's2', "'": 's1', '`': 'sb' }
const openingQuote = /^[a-z]{0,2}(["'`])/i

/** Kinds of tokens in which words have no separate classes. */
const isText = /^(?:s|c|g)/

function kindOfNumber(text: string): string {
  return /^0x/i.test(text) ? 'mh' : /[.e]/i.test(text) ? 'mf' : 'mi'
}

/**
 * Rewrites what highlight.js wrote. Its spans are nested, while Pygments' never are and some clients rely on
 * that: each piece of text gets the class of the innermost span that has one.
 *
 * @param language as highlight.js calls it
 * @param toHtml escapes text as HTML
 */
export function toPygments(html: string, language: string, toHtml: (text: string) => string): string {
  const profile = profileOf(language)
  const tokens: Token[] = []
  const open: string[] = []
  const kindOf = (scope: string, around: string): string => profile.kinds?.[scope] ?? classes[scope] ?? around
  // There is no other markup in it: highlight.js escapes its input.
  for (const [part, scope] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    const kind = open.at(-1) ?? ''
    if (scope !== undefined) open.push(kindOf(scope.replace('hljs-', ''), kind))
    else if (part === '</span>') open.pop()
    else {
      const text = decodeText(part)
      if (kind === '') tokens.push(...tokensOf(text, profile))
      else if (kind === 's' && profile.quotes) {
        // The class applies to the whole string, whatever is inside.
        open[open.length - 1] = quoteKinds[openingQuote.exec(text)?.[1] ?? ''] ?? kind
        tokens.push({ kind: open.at(-1)!, text })
      } else if (kind === 'mi') tokens.push({ kind: profile.number ?? kindOfNumber(text), text })
      else tokens.push({ kind: kind === 'c1' && /^(?:\/\*|<!--)/.test(text) ? 'cm' : kind, text })
    }
  }
  const { words } = profile
  if (words) for (const token of tokens) if (!isText.test(token.kind)) token.kind = words.get(token.text) ?? token.kind
  return joined(tokens, toHtml)
}

/** Adjacent tokens of one class share an element; spaces have none. */
function joined(tokens: readonly Token[], toHtml: (text: string) => string): string {
  let html = ''
  for (let i = 0; i < tokens.length; i++) {
    const { kind } = tokens[i]!
    let { text } = tokens[i]!
    while (tokens[i + 1]?.kind === kind) text += tokens[++i]!.text
    html += kind === '' || text.trim() === '' ? toHtml(text) : `<span class="${kind}">${toHtml(text)}</span>`
  }
  return html
}
