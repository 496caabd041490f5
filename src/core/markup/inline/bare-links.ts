import { escapeText } from '../html.ts'
import { topLevelDomains } from '../lazy.ts'
import type { RenderState } from '../state.ts'
import { hrefOf } from './addresses.ts'
import { keepLink } from './links.ts'
import { decodeTyped, type Pass } from './passes.ts'

/** Characters that every address contains, and that prose has only at the end of words. */
const candidate = /[.:@][^.]/
/** Maximum nesting of brackets in an address. */
const MAX_NESTING = 7

/** Where an address may begin in a word. Stars and tildes around it are emphasis. */
const starts = /(?<![^'"(,:<*~])[\p{L}\p{N}_.-]/gu
/** What may follow an address up to the end of the word. */
const trailing = new Set('!:;?),.\'">*~')

const withScheme = /https?:\/\/[\p{L}\p{N}_.:@-]+/uy
const host = /(?:[\p{L}\p{N}_-]+\.)+([\p{L}\p{N}-]+)(?=$|[/!:;?),.'">*~])/uy
const mail = /[\p{L}\p{N}_.+-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+/uy
const coins = /bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}/y

function matchAt(pattern: RegExp, word: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start
  return pattern.exec(word)
}

/**
 * The end of a path that begins at `start`: as early as the rest of the word allows, and at `rest` at the
 * earliest. Brackets must come in pairs, or the word has no address.
 */
function endOfPath(word: string, start: number, rest: number): number | undefined {
  let depth = 0
  for (let i = start; i <= word.length; i++) {
    if (i >= rest && depth === 0) return i
    const character = word[i]
    if (character === '(') depth++
    else if (character === ')') depth--
    if (depth < 0 || depth > MAX_NESTING || character === '"' || character === '\x81') return undefined
  }
  return undefined
}

/** The start of the trailing characters that may follow an address at the end of a word. */
function endOf(word: string): number {
  let end = word.length
  while (end > 0 && trailing.has(word[end - 1]!)) end--
  return end
}

/** The remaining budget for finding addresses, in characters. */
interface Budget {
  bareLinksLeft: number
}

/**
 * Returns where the address ends that begins at `start`, if there is one. `rest` is where the text after it begins.
 */
function endOfAddress(word: string, start: number, rest: number, budget: Budget): number | undefined {
  for (const pattern of [mail, coins]) {
    const match = matchAt(pattern, word, start)
    if (match && start + match[0].length === rest) return rest
  }
  const scheme = matchAt(withScheme, word, start)
  const name = scheme ? null : matchAt(host, word, start)
  if (!scheme && !(name && topLevelDomains().has(name[1]!))) return undefined
  const end = start + (scheme ?? name!)[0].length
  // A question mark or other punctuation right after the host usually ends a sentence.
  const hasPath = word[end] === '/' || (scheme !== null && /^[?#][\p{L}\p{N}/]/u.test(word.slice(end, end + 3)))
  if (!hasPath) return end >= rest && rest > start + 'https://'.length * Number(scheme !== null) ? rest : undefined
  budget.bareLinksLeft -= word.length - end
  return endOfPath(word, end + 1, rest)
}

/** The range of an address in a word. */
export function addressIn(word: string, budget: Budget = { bareLinksLeft: 1000 }) {
  const rest = endOf(word)
  for (const { index } of word.matchAll(starts)) {
    if (budget.bareLinksLeft < 0) return undefined
    const end = endOfAddress(word, index, rest, budget)
    if (end !== undefined) return { start: index, end }
  }
  return undefined
}

function linkWord(word: string, state: RenderState): string {
  const found = addressIn(word, state)
  if (!found) return word
  const address = decodeTyped(word.slice(found.start, found.end))
  const href = hrefOf(address, state.context.realmUrl, state.context.basePath)
  if (!href) return word
  return word.slice(0, found.start) + keepLink(state, href, escapeText(address), address) + word.slice(found.end)
}

/** `https://example.com`, `example.com/path`, `me@example.com` in running text. */
export const bareLinks: Pass = (text, state) =>
  candidate.test(text) ? text.replace(/\S+/g, (word) => (candidate.test(word) ? linkWord(word, state) : word)) : text
