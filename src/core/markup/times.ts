import type { MarkdownIt, StateInline } from 'markdown-it'
import { element } from './html.ts'

const pattern = /<time:([^<>\n]{1,100})>/y
const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i
// The words of a written-out date. Anything else makes the platform's lenient reader see dates in any prose.
const dateWord =
  /^(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}|am|pm|utc|gmt|\d{1,4}(?::\d\d){0,2}(?:am|pm)?|\+\d{4})$/i

function offsetMs(zone: string | undefined): number {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '')
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0)) * 60_000
}

function isoMs(match: RegExpExecArray): number | undefined {
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as number[]
  const date = new Date(0)
  date.setUTCFullYear(year!, month! - 1, day)
  date.setUTCHours(hour!, minute, second)
  // 31 February and 25 o'clock roll over; they are mistakes, not dates.
  const rolled = date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day || date.getUTCHours() !== hour
  return rolled || minute! > 59 || second! > 59 ? undefined : date.getTime() - offsetMs(match[7])
}

function proseMs(text: string): number | undefined {
  const words = text.trim().split(/[\s,]+/)
  if (words.length < 3 || !words.every((word) => dateWord.test(word))) return undefined
  const spaced = words.map((word) => word.replace(/^(\d+)(am|pm)$/i, '$1:00 $2').replace(/(\d)(am|pm)$/i, '$1 $2'))
  // Without a zone the platform would read the server's own.
  const zone = /utc|gmt|\+\d{4}$/i.test(text) ? '' : ' UTC'
  return Date.parse(spaced.join(' ') + zone)
}

/** A moment as people write it, ISO 8601 or seconds since 1970 or a plain date, as ISO 8601 in UTC. */
export function readTime(text: string): string | undefined {
  const match = iso.exec(text.trim())
  const ms = /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) * 1000 : match ? isoMs(match) : proseMs(text)
  if (ms === undefined || !(Math.abs(ms) < 8.64e15)) return undefined
  const written = new Date(ms).toISOString()
  // Years outside 0 to 9999 get a sign and six digits, which clients do not read.
  return /^\d{4}-/.test(written) ? written.replace(/\.\d{3}Z$/, 'Z') : undefined
}

function timeRule(state: StateInline, silentRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 60 /* < */) return false
  pattern.lastIndex = state.pos
  const match = pattern.exec(state.src)
  if (!match || state.pos + match[0].length > state.posMax) return false
  if (!silentRun) state.push('time', '', 0).content = match[1]!
  state.pos += match[0].length
  return true
}

/** `<time:2026-01-01T00:00:00Z>`. */
export function times(md: MarkdownIt) {
  md.inline.ruler.before('autolink', 'time', timeRule)
  md.renderer.rules.time = (tokens, index) => {
    const text = tokens[index]!.content
    const datetime = readTime(text)
    if (datetime) return element('time', { datetime }, text)
    return element('span', { class: 'timestamp-error' }, `Invalid time format: ${text}`)
  }
}
