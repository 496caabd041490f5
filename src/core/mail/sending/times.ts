import type { User } from '../../kernel/user.ts'

/** The time zone of emails to people who have not chosen one. */
const FALLBACK = 'UTC'

const zoneOf = (reader: Pick<User, 'timezone'> | undefined): string => reader?.timezone || FALLBACK

/** Returns a day such as "January 5, 2026", in the reader's time zone. */
export const onDay = (seconds: number, reader: Pick<User, 'timezone'> | undefined): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: zoneOf(reader) }).format(seconds * 1000)
