const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i

/** The end of the year 9999: clients cannot parse a later time. */
const LATEST_MS = 253_402_300_799_999

/** Returns whether a date such as `2026-02-28` exists. Date would read the 30th of February as the 2nd of March. */
export function isDay(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** No place on Earth is further from UTC. */
const MAX_OFFSET_MINUTES = 14 * 60

/** The offset of a time zone such as `+05:30` from UTC, in milliseconds; undefined where no zone has such an offset. */
export function offsetMs(zone: string): number | undefined {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  if (hours === undefined) return 0
  const offset = Number(hours) * 60 + Number(minutes)
  if (Number(minutes) > 59 || offset > MAX_OFFSET_MINUTES) return undefined
  return (sign === '-' ? -1 : 1) * offset * 60_000
}

/**
 * Parses an ISO 8601 date or time to milliseconds since 1970, in UTC by default; undefined for anything else, such as
 * a day that doesn't exist or a year after 9999.
 * @example parseIsoMs('2026-01-01T02:30+05:30') === Date.UTC(2025, 11, 31, 21)
 */
export function parseIsoMs(text: string): number | undefined {
  const [, day, hour = '0', minute = '0', second = '0', fraction = '', zone = ''] = iso.exec(text) ?? []
  if (day === undefined || !isDay(day)) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offset = offsetMs(zone)
  if (offset === undefined) return undefined
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  const ms = Date.parse(day) + seconds * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3)) - offset
  return ms <= LATEST_MS ? ms : undefined
}

/**
 * Formats seconds since 1970 so that clients can parse them: ISO 8601 with an offset and no fraction,
 * `2026-01-01T00:00:00+00:00`.
 */
export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00')
