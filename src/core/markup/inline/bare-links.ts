import { decodeText, escapeText } from '../html.ts'
import { topLevelDomains } from '../lazy.ts'
import type { RenderState } from '../state.ts'
import { hrefOf } from './addresses.ts'
import { keepLink } from './links.ts'
import type { Pass } from './passes.ts'

/** What an address cannot lack, and prose has at the end of its words. */
const candidate = /[.:@][^.]/
const LONGEST_WORD = 2000
/** Brackets inside brackets of an address. */
const MAX_NESTING = 7

/** Where an address may begin in a word. Stars and tildes are marks around it. */
const starts = /(?<![^'"(,:<*~])[\p{L}\p{N}_.-]/gu
/** What may follow an address up to the end of the word. */
const trailing = /[!:;?),.'">*~]+$/

const withScheme = /https?:\/\/[\p{L}\p{N}_.:@-]+/uy
const host = /(?:[\p{L}\p{N}_-]+\.)+([\p{L}\p{N}-]+)(?=$|[/!:;?),.'">*~])/uy
const mail = /[\p{L}\p{N}_.+-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+/uy
const coins = /bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}/y

function matchAt(pattern: RegExp, word: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start
  return pattern.exec(word)
}

/**
 * Where a path ends that begins at `start`: as early as the rest of the word allows, which begins at `rest` at the
 * earliest. Brackets come in pairs, or the word has no address.
 */
function endOfPath(word: string, start: number, rest: number): number | undefined {
  let depth = 0
  for (let i = start; i <= word.length; i++) {
    if (i >= rest && depth === 0) return i
    const character = word[i]
    if (character === '(') depth++
    else if (character === ')') depth--
    if (depth < 0 || depth > MAX_NESTING || character === '"' || character === '\ufdd0') return undefined
  }
  return undefined
}

/** Where the address ends that begins at `start`, if there is one. */
function endOfAddress(word: string, start: number, rest: number, state: RenderState): number | undefined {
  const letter = matchAt(mail, word, start)
  if (letter && start + letter[0].length >= rest) return Math.max(rest, start + 1)
  const money = matchAt(coins, word, start)
  if (money && start + money[0].length >= rest) return start + money[0].length
  const scheme = matchAt(withScheme, word, start)
  const name = scheme ? null : matchAt(host, word, start)
  if (!scheme && !(name && topLevelDomains().has(name[1]!))) return undefined
  const end = start + (scheme ?? name!)[0].length
  // A question or a mark at once after the host is seldom anything but the end of a sentence.
  const hasPath = word[end] === '/' || (scheme !== null && /[?#][\p{L}\p{N}/]/uy.test(word.slice(end, end + 3)))
  if (!hasPath) return end >= rest ? Math.max(rest, start + 1) : undefined
  state.bareLinksLeft -= word.length - end
  return endOfPath(word, end, rest)
}

function linkWord(word: string, state: RenderState): string {
  const rest = trailing.exec(word)?.index ?? word.length
  for (const { index } of word.matchAll(starts)) {
    if (state.bareLinksLeft < 0) return word
    const end = endOfAddress(word, index, rest, state)
    if (end === undefined) continue
    const address = decodeText(word.slice(index, end))
    const href = hrefOf(address, state.context.realmUrl)
    if (!href) continue
    return word.slice(0, index) + keepLink(state, href, escapeText(address), address) + word.slice(end)
  }
  return word
}

/** `https://example.com`, `example.com/path`, `me@example.com` as they stand in text. */
export const bareLinks: Pass = (text, state) =>
  candidate.test(text)
    ? text.replace(/\S+/g, (word) =>
        candidate.test(word) && word.length <= LONGEST_WORD ? linkWord(word, state) : word,
      )
    : text
