import type { User } from '../../kernel/user.ts'

/** The time zone of emails to people who have not chosen one. */
const FALLBACK = 'UTC'

const zoneOf = (reader: Pick<User, 'timezone'> | undefined): string => reader?.timezone || FALLBACK

/** Returns a day such as "January 5, 2026", in the reader's time zone. */
export const onDay = (seconds: number, reader: Pick<User, 'timezone'> | undefined): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: zoneOf(reader) }).format(seconds * 1000)

/** Returns a time such as "Jan 5, 2026, 3:04 PM GMT+1", in the reader's time zone and format. */
export const atTime = (seconds: number, reader: Pick<User, 'timezone'>, twentyFourHour: boolean): string =>
  new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: twentyFourHour ? 'h23' : 'h12',
    timeZone: zoneOf(reader),
    timeZoneName: 'short',
  })
    .format(seconds * 1000)
    // Some versions of Node write a narrow space before AM and PM.
    .replace(/\u202f/g, ' ')
