import { lengthOf, MAX_TOPIC_LENGTH } from '../../../kernel/base/limits.ts'
import { isWebAddress } from '../../../kernel/fields.ts'

/** How text of another service is put into a message. */

/** At most so many characters, with an ellipsis where some are missing. */
export const shortened = (text: string, length: number): string =>
  lengthOf(text) <= length ? text : `${[...text].slice(0, length - 1).join('')}…`

/**
 * Text of a stranger: it mentions nobody here, whatever it says.
 *
 * @NOTE a zero-width space after the sign; the text looks the same.
 */
export const untrusted = (text: string, length = 2000): string =>
  shortened(text.replaceAll('\0', ''), length).replace(/@(?=_?\*)/g, '@\u200b')

/** Text of a stranger in one line, such as a title. */
export const untrustedLine = (text: string, length = 200): string => untrusted(text.replace(/\s+/g, ' ').trim(), length)

/** A link, where the address is one. */
export const link = (label: string, url: string | null | undefined): string => {
  const shown = untrustedLine(label).replace(/[[\]]/g, '\\$&')
  return url && isWebAddress(url) && !/[()]/.test(url) ? `[${shown}](${url})` : shown
}

export const code = (text: string): string => `\`${untrustedLine(text).replaceAll('`', '')}\``

/** A quotation that nothing in the text ends. Comments that only authors see, such as those of templates, are left out. */
export function quote(text: string | null | undefined): string {
  const body = untrusted((text ?? '').replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim())
  if (body === '') return ''
  const longest = Math.max(2, ...[...body.matchAll(/[~`]+/g)].map(([run]) => run.length))
  const fence = '~'.repeat(longest + 1)
  return `\n\n${fence} quote\n${body}\n${fence}`
}

/** The name of a topic, cut to what one may be. */
export const topicName = (...parts: readonly string[]): string =>
  shortened(parts.map((part) => part.replace(/[\p{Cc}\p{Cs}\p{Cn}\s]+/gu, ' ').trim()).join(' / '), MAX_TOPIC_LENGTH)

/** Names as a list in a sentence: "ann", "ann and bob", "ann, bob and cid". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
