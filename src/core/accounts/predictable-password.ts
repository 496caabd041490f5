import { createHash } from 'node:crypto'
import { lazy } from '../kernel/base/lazy.ts'
import type { Context } from '../kernel/context.ts'
import { invalidField } from '../kernel/errors.ts'
import { settingsOf } from '../settings/organization.ts'
import { commonPasswords } from './common-passwords.ts'

/** Letters that people write as digits and signs. */
const letterOf: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }
// cspell:disable
/** Rows of keyboards and other orders. */
const ORDERS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm'],
  ...['azertyuiop', 'qsdfghjklm', 'wxcvbn', '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p', 'qazwsxedcrfvtgbyhnujm'],
]
// cspell:enable
const orders = [...ORDERS, ...ORDERS.map((order) => [...order].reverse().join(''))]
/** Shorter parts of an order are in many words. */
const FEWEST_IN_ORDER = 3
/** Shorter names are in many words. */
const SHORTEST_NAME = 4
/** A password of names needs this many other letters. */
const FEWEST_OTHER_LETTERS = 3
/** Shorter ones are dates and telephone numbers. */
const FEWEST_DIGITS = 10
const DIGEST_BYTES = 4

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()
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

/** The first bytes of a digest, as the list of common passwords has them. */
export const digestOf = (form: string): number => createHash('sha256').update(form).digest().readUIntBE(0, DIGEST_BYTES)

const common = lazy(() => {
  const bytes = Buffer.from(commonPasswords, 'base64')
  const digests = new Set<number>()
  for (let at = 0; at < bytes.length; at += DIGEST_BYTES) digests.add(bytes.readUIntBE(at, DIGEST_BYTES))
  return digests
})

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

export const EASY_TO_GUESS = 'This password is easy to guess. Choose another one, such as a few random words.'

/**
 * Throws if a password is little more than the address or name of the account, or the name of the organization.
 *
 * @param given - the password, by the name of its field
 * @throws ChatError BAD_REQUEST
 */
export async function requireUnpredictable(
  context: Context,
  { email, full_name }: { email: string; full_name: string },
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const about = [email.slice(0, email.lastIndexOf('@')), email, full_name, (await settingsOf(context)).name]
  for (const [field, password] of Object.entries(given))
    if (isAbout(password, about)) throw invalidField(field, EASY_TO_GUESS)
}

function isAbout(password: string, about: readonly string[]): boolean {
  const names = about.flatMap((text) => {
    const words = plain(text).split(/[^\p{L}\p{N}]+/u)
    return [...words, words.join('')]
  })
  let rest = plain(password).replace(/[^\p{L}\p{N}]/gu, '')
  const before = rest.length
  for (const name of names.filter((one) => one.length >= SHORTEST_NAME).sort((a, b) => b.length - a.length))
    rest = rest.replaceAll(name, '')
  return rest.length < before && rest.replace(/\P{L}/gu, '').length < FEWEST_OTHER_LETTERS
}
