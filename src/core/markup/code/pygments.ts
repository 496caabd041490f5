import { decodeText } from '../html.ts'

/** Pygments' class for each scope of highlight.js; clients style the former. A scope that is not here gets none. */
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

/** How Pygments divides what highlight.js leaves plain, and what else it calls otherwise. */
interface Profile {
  /** The class of names, and of some by what they are. */
  name?: string
  names?: Readonly<Record<string, string>>
  punctuation?: RegExp
  operator?: RegExp
  /** Other marks, with their class. */
  marks?: Readonly<Record<string, string>>
  /** Whether single and double quotation marks have classes of their own. */
  quotes?: true
  /** Scopes that are none here. */
  ignored?: readonly string[]
}

const withDotOperator = { punctuation: /[()[\]{},:;]+/y, operator: /[-+*/%=<>!&|^~.@?$]+/y }
const withDot = { punctuation: /[()[\]{},;.]+/y, operator: /[-+*/%=<>!&|^~?:@]+/y }

/** By the name highlight.js gives the language. */
const profiles: Readonly<Record<string, Profile>> = {
  Python: { name: 'n', names: { self: 'bp', cls: 'bp' }, quotes: true, ...withDotOperator },
  // Code without the opening tag is what people paste, so a tag is two marks and a name.
  php: { name: 'nx', quotes: true, ignored: ['meta'], punctuation: /[()[\]{},;]+/y, operator: /[-+*/%=<>!&|^~.:@?]+/y },
  JavaScript: { name: 'nx', quotes: true, ...withDot },
  TypeScript: { name: 'nx', quotes: true, ...withDot },
  Ruby: { name: 'n', quotes: true, ...withDotOperator },
  C: { name: 'n', ...withDot },
  'C++': { name: 'n', ...withDot },
  'C#': { name: 'n', ...withDot },
  Java: { name: 'n', ...withDot },
  Go: { name: 'nx', ...withDot },
  Rust: { name: 'n', ...withDot },
  Kotlin: { name: 'n', ...withDot },
  Swift: { name: 'n', ...withDot },
  SQL: { name: 'n', punctuation: /[;,()[\].]+/y, operator: /[-+*/<>=~!@#%^&|`?]+/y },
  JSON: { quotes: true },
  Bash: { quotes: true, operator: /=+/y, punctuation: /[;|&()[\]{}]+/y },
  LaTeX: { marks: { '{': 'nb', '}': 'nb' } },
}

const anyName = /[\p{L}_$][\p{L}\p{N}_$]*/uy

interface Token {
  kind: string
  text: string
}

/** Divides plain code into names, punctuation and operators. */
function tokensOf(text: string, { name, names = {}, punctuation, operator, marks = {} }: Profile): Token[] {
  const tokens: Token[] = []
  const take = (at: number, kind: string | undefined, pattern: RegExp | undefined): Token | undefined => {
    if (!kind || !pattern) return undefined
    pattern.lastIndex = at
    const match = pattern.exec(text)
    return match ? { kind, text: match[0] } : undefined
  }
  for (let at = 0; at < text.length; at += tokens.at(-1)!.text.length) {
    const token =
      take(at, name, anyName) ?? take(at, 'p', punctuation) ?? take(at, 'o', operator) ?? { kind: '', text: text[at]! }
    const special = (token.kind === '' ? marks : names) as Readonly<Record<string, string>>
    tokens.push(Object.hasOwn(special, token.text) ? { ...token, kind: special[token.text]! } : token)
  }
  return tokens
}

const quoteKinds: Readonly<Record<string, string>> = { '"': 's2', "'": 's1', '`': 'sb' }
const openingQuote = /^[a-z]{0,2}(["'`])/i

/**
 * Rewrites what highlight.js wrote. Its spans stand in one another, Pygments' never do and some clients rely on it: each
 * stretch of text gets the class of the innermost span that has one.
 *
 * @param language as highlight.js calls it
 * @param escape makes HTML of text
 */
export function toPygments(html: string, language: string, escape: (text: string) => string): string {
  const profile = profiles[language] ?? {}
  const tokens: Token[] = []
  const open: string[] = []
  // There is no other markup in it: what highlight.js was given, it escaped.
  for (const [part, scope] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    const kind = open.at(-1) ?? ''
    if (scope !== undefined) {
      const name = scope.replace('hljs-', '')
      open.push(profile.ignored?.includes(name) ? '' : (classes[name] ?? kind))
    } else if (part === '</span>') open.pop()
    else {
      const text = decodeText(part)
      if (kind === 's' && profile.quotes) {
        // The class holds for the whole string, whatever stands inside.
        open[open.length - 1] = quoteKinds[openingQuote.exec(text)?.[1] ?? ''] ?? kind
        tokens.push({ kind: open.at(-1)!, text })
      } else if (kind === '') tokens.push(...tokensOf(text, profile))
      else tokens.push({ kind, text })
    }
  }
  return joined(tokens, escape)
}

/** Neighbours of a class share an element; blanks have none. */
function joined(tokens: readonly Token[], escape: (text: string) => string): string {
  let html = ''
  for (let i = 0; i < tokens.length; i++) {
    const { kind } = tokens[i]!
    let { text } = tokens[i]!
    while (tokens[i + 1]?.kind === kind) text += tokens[++i]!.text
    html += kind === '' || text.trim() === '' ? escape(text) : `<span class="${kind}">${escape(text)}</span>`
  }
  return html
}
