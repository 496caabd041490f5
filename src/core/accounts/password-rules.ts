// Shared with the page, where it runs while people type: it imports nothing that needs Node.js.
import { commonPasswords } from './common-passwords.ts'

/** Letters that people write as digits and signs. */
export const letterOf: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
}
// cspell:disable
/** Rows of keyboards and other orders. */
const ORDERS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm'],
  ...['azertyuiop', 'qsdfghjklm', 'wxcvbn', '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p', 'qazwsxedcrfvtgbyhnujm'],
]
// cspell:enable
export const orders = [...ORDERS, ...ORDERS.map((order) => [...order].reverse().join(''))]
/** Shorter parts of an order are in many words. */
export const FEWEST_IN_ORDER = 3
/** Shorter names are in many words. */
export const SHORTEST_NAME = 4
/** A password of names needs this many other letters. */
const FEWEST_OTHER_LETTERS = 3
/** Shorter ones are dates and telephone numbers. */
const FEWEST_DIGITS = 10

export const plain = (text: string): string => text.normalize('NFKC').toLowerCase()
const withoutEnds = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** Returns a password without what people add to a word, or the whole if little would be left. */
export function rootOf(password: string): string {
  const typed = plain(password)
  const word = withoutEnds(typed)
  return word.length < SHORTEST_NAME ? typed : word
}

/** Returns the forms of a password in which it may be common. */
function formsOf(password: string): Set<string> {
  const typed = plain(password)
  const spelled = Array.from(typed, (sign) => letterOf[sign] ?? sign).join('')
  return new Set(
    [typed, withoutEnds(typed), spelled, withoutEnds(spelled)].filter((form) => form.length >= SHORTEST_NAME),
  )
}

export const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** Continues the FNV-1a digest of a text with one more code unit. */
export const addUnit = (digest: number, unit: number): number =>
  Math.imul(Math.imul(digest ^ (unit & 0xff), FNV_PRIME) ^ (unit >> 8), FNV_PRIME)

/** Returns the digest of a form, as the list of common passwords has it. It is small rather than secret. */
export function digestOf(form: string): number {
  let digest = FNV_START
  for (let at = 0; at < form.length; at++) digest = addUnit(digest, form.charCodeAt(at))
  return digest >>> 0
}

let digests: Set<number> | undefined
/** Returns the digests of the most common passwords, which are read when they are first needed. */
export function common(): ReadonlySet<number> {
  if (digests) return digests
  const bytes = Uint8Array.from(atob(commonPasswords.replaceAll('\n', '')), (sign) => sign.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  digests = new Set(Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(at * 4)))
  return digests
}

/** Returns whether a password has a pattern that programs guess first: one sign, a few repeated ones, orders, a date. */
export function hasPattern(password: string): boolean {
  const typed = plain(password)
  return /^(.{1,4}?)\1+.?$/su.test(typed) || (/^\d+$/.test(typed) && typed.length < FEWEST_DIGITS) || isInOrder(typed)
}

/** Returns whether a text consists of parts of orders, such as "abc123" and "qwerty789". */
function isInOrder(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    let end = start
    while (end < text.length && orders.some((order) => order.includes(text.slice(start, end + 1)))) end++
    if (end - start < FEWEST_IN_ORDER) return false
    start = end
  }
  return true
}

/** Returns whether a password is among the most common ones, or nearly. */
export const isCommon = (password: string): boolean =>
  hasPattern(password) || [...formsOf(password)].some((form) => common().has(digestOf(form)))

/** What a password must not consist of. */
export interface Surroundings {
  readonly email: string
  readonly full_name: string
  readonly organization: string
}

/** Returns the words of the address and the names, the longest first. */
export function namesIn({ email, full_name, organization }: Surroundings): string[] {
  const about = [email.slice(0, email.lastIndexOf('@')), email, full_name, organization]
  return about
    .flatMap((text) => {
      const words = plain(text).split(/[^\p{L}\p{N}]+/u)
      return [...words, words.join('')]
    })
    .filter((name) => name.length >= SHORTEST_NAME)
    .sort((a, b) => b.length - a.length)
}

/** Returns whether a password is little more than the address or name of the account, or the name of the organization. */
export function isAbout(password: string, surroundings: Surroundings): boolean {
  let rest = plain(password).replace(/[^\p{L}\p{N}]/gu, '')
  const before = rest.length
  for (const name of namesIn(surroundings)) rest = rest.replaceAll(name, '')
  return rest.length < before && rest.replace(/\P{L}/gu, '').length < FEWEST_OTHER_LETTERS
}
