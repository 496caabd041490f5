import { domainToASCII } from 'node:url'

/** Normalizes a name for comparisons. SQLite's own case folding knows only ASCII. */
export const fold = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFC')).toLowerCase()

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII. Normalizing it would be the most expensive part of a send.
const ASCII = /^[\x00-\x7f]*$/

/**
 * Returns the key that email addresses are compared by. Only ASCII letters lose their case, because other foldings turn
 * one person's address into another's: the Kelvin sign becomes a "k". An international domain counts as the name that
 * mail servers look up, however it is written.
 */
export function addressKey(email: string): string {
  const lower = email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  if (ASCII.test(lower)) return lower
  const at = lower.lastIndexOf('@')
  return lower.slice(0, at + 1) + (domainToASCII(lower.slice(at + 1)) || lower.slice(at + 1))
}
