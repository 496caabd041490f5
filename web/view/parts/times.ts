import { computed, signal } from '@preact/signals'
import { hasDayHours, locale } from '../../model/state/language.ts'

const cached = new Map<string, unknown>()

/** Returns a format of the reader's language, created once. */
function kept<T>(name: string, make: (language: string | undefined) => T): T {
  const key = `${locale.value} ${name}`
  const known = (cached.get(key) as T | undefined) ?? make(locale.value)
  cached.set(key, known)
  return known
}
const format = (name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  kept(name, (language) => new Intl.DateTimeFormat(language, options))
/** "yesterday", "5 minutes ago", "now". */
const relative = (amount: number, unit: 'day' | 'hour' | 'minute' | 'second'): string =>
  kept('relative', (language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' })).format(amount, unit)
/** "5 min". */
const amountOf = (amount: number, unit: 'minute' | 'hour'): string =>
  kept(unit, (language) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' })).format(
    amount,
  )

/** Formats a time as "14:05" or "2:05 PM", in a time zone or the reader's own. */
export function shortTime(date: Date, setting: boolean, timeZone?: string): string {
  const hours24 = hasDayHours(setting)
  return format(`time ${hours24} ${timeZone}`, {
    hour: hours24 ? '2-digit' : 'numeric',
    minute: '2-digit',
    // Not hour12, which makes midnight 24:00 in some languages and 0:00 am in others.
    hourCycle: hours24 ? 'h23' : 'h12',
    timeZone,
  }).format(date)
}

/** Formats a day, with its year if that isn't the current one. */
export function shortDate(date: Date, now = new Date()): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short' } as const
  return date.getFullYear() === now.getFullYear()
    ? format('date', options).format(date)
    : format('dated', { ...options, year: 'numeric' }).format(date)
}

/** Formats a day and a time as one, as languages join them differently. */
export function dateAndTime(date: Date, setting: boolean, now = new Date()): string {
  const hours24 = hasDayHours(setting)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return format(`moment ${hours24} ${isThisYear}`, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    hour: hours24 ? '2-digit' : 'numeric',
    minute: '2-digit',
    hourCycle: hours24 ? 'h23' : 'h12',
  }).format(date)
}

/** The current time, to the minute, for names of days and ages. */
const minute = signal(Date.now())
const today = computed(() => new Date(minute.value).toDateString())
const tick = () => {
  minute.value = Date.now()
}
setInterval(tick, 60_000)
// In a hidden or sleeping page, timers fire late.
document.addEventListener('visibilitychange', tick)

/** "Today", "Yesterday", or the date. */
export function dayName(date: Date): string {
  const now = new Date(today.value)
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (date.toDateString() === now.toDateString()) return capitalized(relative(0, 'day'))
  if (date.toDateString() === yesterday.toDateString()) return capitalized(relative(-1, 'day'))
  const options = { weekday: 'long', day: 'numeric', month: 'long' } as const
  return date.getFullYear() === now.getFullYear()
    ? format('day', options).format(date)
    : format('year', { ...options, year: 'numeric' }).format(date)
}

const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase(locale.value) + text.slice(1)

export const fullTime = (date: Date): string => format('full', { dateStyle: 'full', timeStyle: 'long' }).format(date)

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Formats an age for a sentence: "1 minute ago", "3 hours ago", then the date. */
export function longAgo(seconds: number): string {
  const passed = minute.value / 1000 - seconds
  // A younger age is a minute as well: no language says "created now".
  if (passed < HOUR) return relative(-Math.max(1, Math.floor(passed / MINUTE)), 'minute')
  if (passed < DAY) return relative(-Math.floor(passed / HOUR), 'hour')
  return shortDate(new Date(seconds * 1000))
}

/** Formats an age for lists: "now", "5 min", "3 hr", then the date. */
export function ago(seconds: number, now = minute.value / 1000): string {
  const passed = now - seconds
  if (passed < MINUTE) return relative(0, 'second')
  if (passed < HOUR) return amountOf(Math.floor(passed / MINUTE), 'minute')
  if (passed < DAY) return amountOf(Math.floor(passed / HOUR), 'hour')
  return shortDate(new Date(seconds * 1000))
}
