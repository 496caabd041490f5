import { lengthOf, MAX_TOPIC_LENGTH } from '../../../kernel/base/limits.ts'
import { isWebAddress } from '../../../kernel/fields.ts'

/** Text of other services in messages. */

/** Shortens a text to this many characters, with an ellipsis. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  // A character has at most two units, so the rest is never looked at, however long it is.
  const start = text.slice(0, 2 * length)
  return text.length === start.length && lengthOf(start) <= length
    ? start
    : `${[...start].slice(0, length - 1).join('')}…`
}

/**
 * Returns a text that mentions nobody.
 *
 * @NOTE adds a zero-width space after the sign; the text looks the same
 */
export const silenced = (text: string): string => text.replaceAll('\0', '').replace(/@(?=_?\*)/g, '@\u200b')

/** Untrusted text: shortened, and without mentions. */
export const untrusted = (text: string, length = 2000): string => silenced(shortened(text, length))

/** Returns a text without links that hide their address. A zero-width space parts the label from it. */
export const withoutLinks = (text: string): string => text.replace(/\](?=\()/g, ']\u200b')

/** Returns a text without headings, for services whose text has none. Quotations and lists can contain headings, too. */
export const withoutHeadings = (text: string): string =>
  text.replace(/^((?:[\p{Zs}\t>*+-]|\d{1,9}[.)])*)(?=#{1,6}\s)/gmu, '$1\u200b')

/** Returns plain text of a service: it mentions nobody, and has no headings and no links that hide their address. */
export const plain = (text: string, length = 2000): string => withoutHeadings(withoutLinks(untrusted(text, length)))

/** Untrusted text on one line, such as a title. It is plain text at most services, so nothing in it becomes a link. */
export const untrustedLine = (text: string, length = 200): string => withoutLinks(onOneLine(text, length))

const onOneLine = (text: string, length = 200): string =>
  withoutHeadings(
    untrusted(
      text
        .slice(0, 10 * length)
        .replace(/\s+/g, ' ')
        .trim(),
      length,
    ),
  ).replace(/^(?=~~~|```)/, '\u200b')

/** Signs that would end a label or begin code, with signs that look alike. Our Markdown has no escapes. */
const alike: Readonly<Record<string, string>> = { '[': '［', ']': '］', '`': "'" }
/** Signs that would end an address. */
const encoded: Readonly<Record<string, string>> = { '(': '%28', ')': '%29', '`': '%60' }

/** Returns a link, or only the label if the address isn't valid. */
export const link = (label: string, url: string | null | undefined): string => {
  const shown = onOneLine(label).replace(/[[\]`]/g, (sign) => alike[sign]!)
  const address = url?.replace(/[()`]/g, (sign) => encoded[sign]!)
  return address && isWebAddress(address) && !address.includes('\0') ? `[${shown}](${address})` : shown
}

/** The first line of a text, such as the subject of a commit. */
export const firstLine = (text: string): string => untrustedLine(text.split('\n', 1)[0]!)

export const code = (text: string): string => `\`${untrustedLine(text.replaceAll('`', ''))}\``

/** Cuts a message to the maximum number of bytes, and ends code or a quotation that it cuts. */
export function fitted(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const fences = [...text.matchAll(/^(`{3,}|~{3,})/gm)].map(([fence]) => fence)
  const room = maxBytes - 10 - Math.max(0, ...fences.map(({ length }) => length))
  const cut = Buffer.from(text)
    .subarray(0, Math.max(0, room))
    .toString('utf8')
    .replace(/\ufffd+$/, '')
  let open = ''
  for (const [fence] of cut.matchAll(/^(?:`{3,}|~{3,})/gm)) {
    if (open === '') open = fence
    else if (fence[0] === open[0] && fence.length >= open.length) open = ''
  }
  return `${cut}…${open && `\n${open}`}`
}

/**
 * Quotes plain text so that nothing in it ends the quotation, becomes a heading or a link with a label. Comments that only
 * authors see, as in templates, are left out.
 */
export const quote = (text: string | null | undefined): string => quotation(text, plain)

/** Quotes Markdown of a service, whose headings and links its author meant. */
export const quoteMarkdown = (text: string | null | undefined): string => quotation(text, untrusted)

function quotation(text: string | null | undefined, escaped: (text: string) => string): string {
  const body = escaped((text ?? '').replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim())
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

/** A clause that ends with names, such as ", assigned to ann and bob"; empty if there are none. */
export const clause = (words: string, names: readonly string[]): string =>
  names.length > 0 ? `, ${words} ${listed(names)}` : ''

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
