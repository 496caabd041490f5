// Shared with the page, like the rules.
import {
  addUnit,
  common,
  FEWEST_IN_ORDER,
  FNV_START,
  isAbout,
  isCommon,
  letterOf,
  namesIn,
  orders,
  plain,
  SHORTEST_NAME,
  type Surroundings,
} from './password-rules.ts'

/** The server refuses `short` and `easy` passwords. */
export type PasswordStrength = 'short' | 'easy' | 'weak' | 'fair' | 'strong'

// Costs are in bits: the logarithm of how many guesses a program needs that knows how people choose passwords.
/** Ten guesses for each character, because most are part of words that no list has. */
const CHARACTER = Math.log2(10)
/** Characters of scripts that have thousands. */
const IDEOGRAPH = 8
const FIRST_IDEOGRAPH = 0x2e80
/** One of the words of the list. */
const WORD = Math.log2(5000)
const YEAR = 7
/** Part of an order, such as "4567". Its length is a few bits more. */
const ORDER = 6
const NAME = 3
/** The characters immediately before, again. */
const REPETITION = 2
const CAPITALS = 1
/** Fewer bits than this are 100 million guesses, which is nothing for thieves of the digests. */
const FAIR = 26.5
const STRONG = 36.5
const LONGEST_WORD = 24
/** The rest of a longer password adds nothing. */
const MOST_READ = 128

/**
 * Returns how hard a password is to guess. What the server refuses is `short` or `easy`, by the same rules.
 *
 * @param shortest - the fewest characters that the server accepts
 */
export function passwordStrength(password: string, surroundings: Surroundings, shortest: number): PasswordStrength {
  if (password.length < shortest) return 'short'
  if (isCommon(password) || isAbout(password, surroundings)) return 'easy'
  const bits = bitsOf(password.slice(0, MOST_READ), namesIn(surroundings))
  return bits < FAIR ? 'weak' : bits < STRONG ? 'fair' : 'strong'
}

/** Returns the fewest bits of all ways to cut a password into words, names, orders, years, repetitions and characters. */
function bitsOf(password: string, names: readonly string[]): number {
  const typed = plain(password)
  const spelled = [...typed].map((sign) => letterOf[sign] ?? sign).join('')
  const fewest = [0, ...Array.from({ length: typed.length }, () => Number.POSITIVE_INFINITY)]
  for (let at = 0; at < typed.length; at++) {
    const add = (length: number, bits: number) => {
      fewest[at + length] = Math.min(fewest[at + length]!, fewest[at]! + bits)
    }
    add(1, typed.charCodeAt(at) < FIRST_IDEOGRAPH ? CHARACTER : IDEOGRAPH)
    for (const text of [typed, spelled]) for (const length of wordsAt(text, at)) add(length, WORD)
    for (const name of names) if (typed.startsWith(name, at)) add(name.length, NAME)
    if (/^(?:19|20)\d\d/.test(typed.slice(at, at + 4))) add(4, YEAR)
    const inOrder = orderAt(typed, at)
    if (inOrder >= FEWEST_IN_ORDER) add(inOrder, ORDER + Math.log2(inOrder))
    for (let length = 1; length <= at; length++)
      if (typed.startsWith(typed.slice(at - length, at), at)) add(length, REPETITION)
  }
  return fewest.at(-1)! + (typed === password.normalize('NFKC') ? 0 : CAPITALS)
}

/** Returns the lengths of the common words that begin at a place. */
function wordsAt(text: string, start: number): number[] {
  const lengths: number[] = []
  let digest = FNV_START
  for (let length = 1; length <= LONGEST_WORD && start + length <= text.length; length++) {
    digest = addUnit(digest, text.charCodeAt(start + length - 1))
    if (length >= SHORTEST_NAME && common().has(digest >>> 0)) lengths.push(length)
  }
  return lengths
}

/** Returns how many characters from a place on are part of one order. */
function orderAt(text: string, start: number): number {
  let length = 0
  while (start + length < text.length && orders.some((order) => order.includes(text.slice(start, start + length + 1))))
    length++
  return length
}
