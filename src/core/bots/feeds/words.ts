import { isoTime } from '../../kernel/base/times.ts'
import { link, quote, shortened, untrustedLine } from '../incoming/format/text.ts'
import type { CalendarEvent, Entry } from './read-protocol.ts'

const MAX_SUMMARY = 300

/** The message about an entry of a feed. */
export const entryText = ({ title, link: url, summary }: Entry): string =>
  `**${link(plainMarks(title) || url || 'New entry', url)}**${summary === title ? '' : quote(shortened(summary, MAX_SUMMARY))}`

/** The reminder of an event. Each reader sees the time in their own time zone. */
export function eventText({ title, link: url, location, starts_at, isAllDay }: CalendarEvent): string {
  const name = `**${link(plainMarks(title) || 'Event', url)}**`
  const when = isAllDay ? `is on ${isoTime(starts_at).slice(0, 10)}` : `begins at <time:${isoTime(starts_at)}>`
  const where = untrustedLine(location)
  return `${name} ${when}${where && `\nLocation: ${where}`}`
}

/** Asterisks in a title would end its bold text. */
const plainMarks = (text: string): string => text.replaceAll('**', '∗∗')
