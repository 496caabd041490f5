import { InvalidArgumentError, Option } from 'commander'

export const db = () =>
  new Option('--db <file>', 'database file, or postgres://user:password@host/name').env('CHAT_DB').default('chat.db')
export const json = () => new Option('--json', 'print one JSON object')

const NO = /^(|0|false|no|off)$/i

/** Parses a boolean environment variable. */
export const isSet = (name: string): boolean => !NO.test(process.env[name] ?? '')

/**
 * Parses whose forwarded headers to trust: `yes` is this machine, `no` is no one, anything else a list of addresses.
 */
export function proxies(text: string): boolean | 'loopback' | string[] {
  if (NO.test(text)) return false
  return /^(1|true|yes|on|loopback)$/i.test(text) ? 'loopback' : text.split(',').map((entry) => entry.trim())
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('The port must be between 0 and 65535.')
  return Number(text)
}

export function size(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= 1024))
    throw new InvalidArgumentError('The size must be more than 0 and at most 1024 MiB.')
  return value
}

export function url(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('The URL must start with http:// or https://.')
  }
  return text.replace(/\/+$/, '')
}

export function count(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('The number must be between 1 and 99999.')
  return Number(text)
}

/** Parses names that are separated by commas. */
export const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

export function id(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('The ID must be a positive number.')
  return Number(text)
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Node's timers are limited to 24 days. */
const LONGEST_SECONDS = 20 * 86_400

/** Parses `90s`, `30m`, `24h` or `7d` into seconds. */
export function duration(text: string): number {
  const [, number, unit] = /^(\d{1,6})(s|m|h|d)$/.exec(text) ?? []
  const seconds = Number(number) * (UNITS[unit ?? ''] ?? Number.NaN)
  if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
    throw new InvalidArgumentError(
      'The duration must be a number followed by s, m, h or d, such as 24h. The maximum is 20d.',
    )
  }
  return seconds
}

/** Parses a day or a time in ISO 8601 into seconds since 1970. Without an offset it is in UTC. */
export function time(text: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.test(text)
  const ms = isTime
    ? Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) || /(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
    : Number.NaN
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError('The time must be a day such as 2026-11-25, or a time such as 2026-11-25T08:00:00Z.')
  }
  return Math.floor(ms / 1000)
}

export const signOn = () =>
  new Option(
    '--sign-on <file>',
    'JSON file with the identity providers that people sign in with; needs --public-url',
  ).env('CHAT_SIGN_ON')

export const userHeader = () =>
  new Option(
    '--user-header <name[:groups]>',
    'header in which an authenticating proxy names people, and one with their groups; needs --trust-proxy',
  ).env('CHAT_USER_HEADER')
