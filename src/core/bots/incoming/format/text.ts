import { lengthOf, MAX_TOPIC_LENGTH } from '../../../kernel/base/limits.ts'
import { isWebAddress } from '../../../kernel/fields.ts'

/** Text of other services in messages. */

/** Shortens a text to this many characters, with an ellipsis. */
export const shortened = (text: string, length: number): string =>
  lengthOf(text) <= length ? text : `${[...text].slice(0, length - 1).join('')}…`

/**
 * Removes mentions from untrusted text.
 *
 * @NOTE adds a zero-width space after the sign; the text looks the same
 */
export const untrusted = (text: string, length = 2000): string =>
  shortened(text.replaceAll('\0', ''), length).replace(/@(?=_?\*)/g, '@\u200b')

/** Untrusted text on one line, such as a title. */
export const untrustedLine = (text: string, length = 200): string => untrusted(text.replace(/\s+/g, ' ').trim(), length)

/** Returns a link, or only the label if the address isn't valid. */
export const link = (label: string, url: string | null | undefined): string => {
  const shown = untrustedLine(label).replace(/[[\]]/g, '\\$&')
  return url && isWebAddress(url) && !/[()]/.test(url) ? `[${shown}](${url})` : shown
}

export const code = (text: string): string => `\`${untrustedLine(text).replaceAll('`', '')}\``

/** Quotes a text so that nothing in it ends the quotation. Comments that only authors see, as in templates, are left out. */
export function quote(text: string | null | undefined): string {
  const body = untrusted((text ?? '').replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim())
  if (body === '') return ''
  const longest = Math.max(2, ...[...body.matchAll(/[~`]+/g)].map(([run]) => run.length))
  const fence = '~'.repeat(longest + 1)
  return `\n\n${fence} quote\n${body}\n${fence}`
}

/** Joins the parts of a topic's name and cuts it to the maximum length. */
export const topicName = (...parts: readonly string[]): string =>
  shortened(parts.map((part) => part.replace(/[\p{Cc}\p{Cs}\p{Cn}\s]+/gu, ' ').trim()).join(' / '), MAX_TOPIC_LENGTH)

/** Names as a list in a sentence: "ann", "ann and bob", "ann, bob and cid". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
