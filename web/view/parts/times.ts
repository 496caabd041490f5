const cached = new Map<string, Intl.DateTimeFormat>()

function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const known = cached.get(name) ?? new Intl.DateTimeFormat(undefined, options)
  cached.set(name, known)
  return known
}

/** "14:05", or "2:05 PM". */
export const shortTime = (date: Date, hours24: boolean): string =>
  format(`time${hours24}`, { hour: hours24 ? '2-digit' : 'numeric', minute: '2-digit', hour12: !hours24 }).format(date)

/** The day, with the year where it is another one. */
export function shortDate(date: Date, now = new Date()): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short' } as const
  return date.getFullYear() === now.getFullYear()
    ? format('date', options).format(date)
    : format('dated', { ...options, year: 'numeric' }).format(date)
}

/** "Today", "Yesterday", or the date. */
export function dayName(date: Date, now = new Date()): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (date.toDateString() === now.toDateString()) return 'Today'
  if (date.toDateString() === yesterday.toDateString()) return 'Yesterday'
  const options = { weekday: 'long', day: 'numeric', month: 'long' } as const
  return date.getFullYear() === now.getFullYear()
    ? format('day', options).format(date)
    : format('year', { ...options, year: 'numeric' }).format(date)
}

export const fullTime = (date: Date): string => format('full', { dateStyle: 'full', timeStyle: 'long' }).format(date)

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago, for lists: "now", "5 min", "3 h", then the date. */
export function ago(seconds: number, now = Date.now() / 1000): string {
  const passed = now - seconds
  if (passed < MINUTE) return 'now'
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min`
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h`
  return shortDate(new Date(seconds * 1000))
}
