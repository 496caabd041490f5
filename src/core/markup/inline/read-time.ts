import { offsetMs, parseIsoMs } from '../../kernel/base/times.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const monthName = /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}$/
const weekdayName = /^(sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}$/
const fillers = new Set(['at', 'on', 'of', 'and'])

/** Offsets from UTC in hours of zones named by letters; for an ambiguous name, the one clients use. */
const zones: Readonly<Record<string, number>> = {
  ...{ sst: -11, hst: -10, akst: -9, hdt: -9, akdt: -8, pst: -8, mst: -7, pdt: -7, cst: -6, mdt: -6, cdt: -5, est: -5 },
  ...{ ast: -4, edt: -4, nst: -3.5, adt: -3, ndt: -2.5, z: 0, gmt: 0, utc: 0, wet: 0, bst: 1, cet: 1, met: 1, wat: 1 },
  ...{ west: 1, cat: 2, cest: 2, eet: 2, mest: 2, sast: 2, eat: 3, eest: 3, idt: 3, msk: 3, pkt: 5, ist: 5.5, wib: 7 },
  ...{
    awst: 8,
    hkt: 8,
    wita: 8,
    jst: 9,
    kst: 9,
    wit: 9,
    acst: 9.5,
    aest: 10,
    chst: 10,
    acdt: 10.5,
    aedt: 11,
    nzst: 12,
  },
  ...{ nzdt: 13 },
}

interface Parts {
  year?: number
  month?: number
  day?: number
  weekday?: number
  hour?: number
  minute?: number
  second?: number
  half?: 'am' | 'pm'
  zoneMs?: number
}

/** Adds what one word specifies; false if it is no part of a time, or repeats one. */
function addWord(parts: Parts, word: string): boolean {
  const set = (values: Parts): boolean => {
    for (const key of Object.keys(values) as (keyof Parts)[]) if (parts[key] !== undefined) return false
    Object.assign(parts, values)
    return true
  }
  const month = monthName.exec(word)?.[1]
  if (month) return set({ month: months.indexOf(month) })
  const weekday = weekdayName.exec(word)?.[1]
  if (weekday) return set({ weekday: weekdays.indexOf(weekday) })
  if (word === 'am' || word === 'pm') return set({ half: word })
  if (Object.hasOwn(zones, word)) return set({ zoneMs: zones[word]! * 3_600_000 })
  if (/^[+-]\d\d:?\d\d$/.test(word)) {
    const zoneMs = offsetMs(word)
    return zoneMs !== undefined && set({ zoneMs })
  }
  const [, hour, minute, second = '0'] = /^(\d\d?):(\d\d)(?::(\d\d))?$/.exec(word) ?? []
  if (hour) return set({ hour: Number(hour), minute: Number(minute), second: Number(second) })
  const [, first, middle, last] = /^(\d{1,4})[/.-](\d\d?)[/.-](\d{1,4})$/.exec(word) ?? []
  if (first?.length === 4) return set({ year: Number(first), month: Number(middle) - 1, day: Number(last) })
  if (first && last?.length === 4) {
    const [month, day] = Number(first) > 12 ? [middle, first] : [first, middle]
    return set({ year: Number(last), month: Number(month) - 1, day: Number(day) })
  }
  if (/^\d{4}$/.test(word)) return set({ year: Number(word) })
  const [, number] = /^(\d\d?)(?:st|nd|rd|th)?$/.exec(word) ?? []
  return number !== undefined && set({ day: Number(number) })
}

/** The parts of a written-out time; undefined for a text that contains anything else. */
function partsOf(text: string): Parts | undefined {
  // `5pm` and `5 pm` are an hour; a plain number is a day.
  const spaced = text.toLowerCase().replace(/\b(\d\d?)(:\d\d(?::\d\d)?)? ?(am|pm)\b/g, '$1$2 $3')
  const words = spaced.replace(/(?<![:\d])(\d\d?) (am|pm)\b/g, '$1:00 $2').split(/[\s,;]+/)
  const parts: Parts = {}
  for (const word of words) {
    if (word !== '' && !fillers.has(word) && !addWord(parts, word.replace(/\.$/, ''))) return undefined
  }
  return parts
}

/** Completes a time from the day it is written on. */
function msOf(parts: Parts, now: number | undefined): number | undefined {
  const { weekday, minute = 0, second = 0, half, zoneMs = 0 } = parts
  const today = now === undefined ? undefined : new Date(now)
  const year = parts.year ?? today?.getUTCFullYear()
  const month = parts.month ?? today?.getUTCMonth()
  let day = parts.day ?? today?.getUTCDate()
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (parts.day === undefined && weekday !== undefined) {
    const passed = new Date(Date.UTC(year, month, day)).getUTCDay()
    day += (weekday - passed + 7) % 7
  }
  let hour = parts.hour ?? 0
  if (half !== undefined && (parts.hour === undefined || hour < 1 || hour > 12)) return undefined
  if (half !== undefined) hour = (hour % 12) + (half === 'pm' ? 12 : 0)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  // The 31st of February is an error, not a day in March.
  if (parts.day !== undefined && (date.getUTCMonth() !== month || date.getUTCDate() !== day)) return undefined
  return date.setUTCHours(hour, minute, second) - zoneMs
}

function writtenMs(text: string, now: number | undefined): number | undefined {
  const parts = partsOf(text)
  // It must specify something: `of` alone does not.
  const says = parts && Object.keys(parts).some((part) => part !== 'half' && part !== 'zoneMs')
  return says ? msOf(parts, now) : undefined
}

/**
 * A moment as people write it, as ISO 8601 in UTC: ISO 8601, a date in words, or seconds since 1970.
 *
 * @param now milliseconds since 1970, for times without a date
 */
export function readTime(text: string, now?: number): string | undefined {
  const trimmed = text.trim()
  const seconds = /^\d{5,12}(?:\.\d{1,6})?$/.test(trimmed) ? Number(trimmed) * 1000 : undefined
  const ms = seconds ?? parseIsoMs(trimmed) ?? writtenMs(trimmed, now)
  if (ms === undefined || !(Math.abs(ms) < 8.64e15)) return undefined
  const written = new Date(ms).toISOString()
  // Clients cannot parse years outside 1 to 9999, which get a sign and six digits or are invalid.
  if (!/^\d{4}-/.test(written) || written.startsWith('0000')) return undefined
  return written.replace(/(?:\.000|(\.\d{3}))Z$/, (_end, fraction?: string) => (fraction ? `${fraction}000Z` : 'Z'))
}
