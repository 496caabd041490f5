import { domainToASCII } from 'node:url'
import { MAX_TOPIC_LENGTH } from '../../kernel/base/limits.ts'
import { withoutQuotes, withoutSignature } from './cut-quotes.ts'
import { inLine } from './loops.ts'
import type { ParsedMail } from './parse-protocol.ts'

const TRUNCATED = '\n[message truncated]'
const EMPTY = '(no text)'

/** What mail programs put in front of the subject of answers and forwarded emails. */
const PREFIXES = /^(?:\s*(?:re|aw|sv|antw|odp|vs|res|ответ|fwd?|wg|tr|rv|i|doorst)(?:\[\d{1,3}\])?\s?[:：])+/iu
const FORWARDED = /^\s*(?:fwd?|wg|tr|rv|doorst)\s?[:：]/i

/** Returns the topic for the subject of an email; undefined without one. */
export function topicOf(subject: string): string | undefined {
  const text = inLine(subject)
    .replace(PREFIXES, '')
    .replace(/[\p{Cc}\p{Cs}\p{Cn}]/gu, '')
    .trim()
  const characters = [...text]
  const topic =
    characters.length <= MAX_TOPIC_LENGTH
      ? text
      : `${characters
          .slice(0, MAX_TOPIC_LENGTH - 1)
          .join('')
          .trimEnd()}…`
  return topic === '' ? undefined : topic
}

/** Returns what an email says, in Markdown. */
export function bodyOf(mail: ParsedMail, options: ReadonlySet<string> = new Set()): string {
  const { text, fromHtml, subject } = mail
  const isHtmlBetter = options.has('prefer-html') ? fromHtml !== '' : text.trim() === ''
  let body = (isHtmlBetter ? fromHtml : text).toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\0', '')
  if (!options.has('include-quotes') && !FORWARDED.test(subject)) body = withoutQuotes(body)
  if (!options.has('include-footer')) body = withoutSignature(body)
  return body.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}

const INVISIBLE = '\u200b'

/**
 * Returns a stranger's text in which nothing notifies anybody, runs a command, shows an image from elsewhere, or hides the address
 * of a link behind another one.
 */
export const ofStranger = (text: string): string =>
  text
    .replace(/@(?=_?\*)/g, `@${INVISIBLE}`)
    .replaceAll('![', `!${INVISIBLE}[`)
    .replaceAll('](', '] (')
    .replace(/^(\s*)\//, `$1${INVISIBLE}/`)

/** Returns the line that names the sender. Letters of other scripts in a domain show as what they are. */
export function senderLine({ from }: Pick<ParsedMail, 'from'>): string {
  const [{ name, address } = { name: '', address: '' }] = from
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1)) || address.slice(at + 1)
  const shown = `${address.slice(0, at + 1)}${domain}`
  const code = (text: string) => `\`${inLine(text).replaceAll('`', "'")}\``
  return `**From:** ${name === '' ? '' : `${ofStranger(inLine(name)).replace(/[*_`[\]<>~$|\\]/g, '')} `}${code(shown)}`
}

/** Joins the parts of a message, and shortens its text so that everything fits. */
export function joined(parts: { before?: string; text: string; links: readonly string[] }, maxBytes: number): string {
  const { before = '', text, links } = parts
  const head = before === '' ? '' : `${before}\n\n`
  const tail = links.length === 0 ? '' : `\n\n${links.join('\n')}`
  const room = maxBytes - Buffer.byteLength(head) - Buffer.byteLength(tail)
  const body = text === '' && links.length === 0 ? EMPTY : text
  return `${head}${withinBytes(body, room)}${tail}`.trim()
}

function withinBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const room = Math.max(0, bytes - Buffer.byteLength(TRUNCATED))
  // A character that is cut in half becomes a replacement character.
  const cut = Buffer.from(text)
    .subarray(0, room)
    .toString()
    .replace(/\ufffd{1,3}$/, '')
  return `${cut.trimEnd()}${TRUNCATED}`
}
