import { type RoleName, roles } from '../../core/kernel/roles.ts'
import type { User } from '../../core/kernel/user.ts'

/** A capacity, and the time over which it is refilled. */
export interface Rate {
  requests: number
  seconds: number
}

/** The rates of all limits. Missing entries have the rate of `defaultRates`. */
export interface Rates {
  /** Requests of each account; the entries below take precedence. */
  user: Rate
  /** Requests of accounts with a role. */
  roles: Partial<Record<RoleName, Rate>>
  /** Requests of each bot, whatever its role. */
  bot: Rate | undefined
  /** Requests of single accounts, by email address. */
  accounts: Readonly<Record<string, Rate>>
  /** Requests from an address without an account, and failed sign-ins from it. */
  address: Rate
  /**
   * Files fetched by an account, and public files (custom emoji) fetched from an address. A page shows many together.
   */
  files: Rate
  /** Polls for events by an account. Clients poll again after every event. */
  polls: Rate
  /** Wrong passwords for an account from one address. */
  password: Rate
  /** Wrong passwords for an account from all addresses that it has not signed in from recently. */
  passwordAccount: Rate
  /** Wrong passwords from one address, for all accounts that have not signed in from it recently. */
  passwordAddress: Rate
  /** Emails requested without an account from one address. */
  mail: Rate
}

const minute = 60
const halfHour = 30 * minute

export const defaultRates: Rates = {
  user: { requests: 200, seconds: minute },
  roles: {},
  bot: undefined,
  accounts: {},
  address: { requests: 100, seconds: minute },
  files: { requests: 6000, seconds: minute },
  polls: { requests: 3000, seconds: minute },
  password: { requests: 5, seconds: halfHour },
  passwordAccount: { requests: 100, seconds: halfHour },
  passwordAddress: { requests: 50, seconds: halfHour },
  mail: { requests: 5, seconds: 48 * halfHour },
}

/** Looks up the rate of an account: its own, or the rate of bots, of its role, or of users. */
export function userRates({ user, roles: byRole, bot, accounts }: Rates): (user: User) => Rate {
  const byName = new Map(Object.entries(accounts).map(([email, rate]) => [accountKey(email), rate]))
  const byNumber = new Map(Object.entries(byRole).map(([name, rate]) => [roles[name as RoleName] as number, rate]))
  const ofKind = ({ role, bot_type }: User) => (bot_type !== null && bot) || byNumber.get(role) || user
  return byName.size === 0 ? ofKind : (account) => byName.get(account.email_key) ?? ofKind(account)
}

/** Normalizes the name of an account for counting, ignoring case and spaces. */
export const accountKey = (email: string): string => email.trim().normalize('NFC').toLowerCase()

const names = [
  ...(['user', 'bot', 'address', 'files', 'polls'] as const),
  ...(['password', 'passwordAccount', 'passwordAddress', 'mail'] as const),
] as const
export type RateName = (typeof names)[number]

/** What each limit is counted per. */
export const countedPer: Readonly<Record<keyof Rates, string>> = {
  user: 'account',
  roles: 'account',
  bot: 'account',
  accounts: 'account',
  address: 'address',
  files: 'account or address',
  polls: 'account',
  password: 'account and address',
  passwordAccount: 'account',
  passwordAddress: 'address',
  mail: 'address',
}

/** Formats rates for `parseRates`, such as `bot=1000/60`. */
export function rateTexts(rates: Rates): string[] {
  const named = names.map((name) => [name, rates[name]] as const)
  const all = [...named, ...Object.entries(rates.roles), ...Object.entries(rates.accounts)]
  return all.flatMap(([name, rate]) => (rate ? [`${name}=${rate.requests}/${rate.seconds}`] : []))
}

/**
 * Parses `NAME=REQUESTS/SECONDS`, where the name is a role, an email address or another entry of the table.
 * @example
 * parseRates(['bot=1000/60', 'ci@example.com=5000/60'])
 */
export function parseRates(texts: readonly string[]): Partial<Rates> {
  const rates: { -readonly [K in keyof Rates]?: Rates[K] } = {}
  for (const text of texts) {
    const [, name = '', requests, seconds] = /^(.+)=(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []
    const rate = { requests: Number(requests), seconds: Number(seconds) }
    if (!(rate.requests >= 1 && rate.seconds >= 1))
      throw new Error(`invalid rate ${text}; use a format such as bot=1000/60`)
    const entry = names.find((known) => known === name)
    if (entry) rates[entry] = rate
    else if (Object.hasOwn(roles, name)) rates.roles = { ...rates.roles, [name]: rate }
    else if (name.includes('@')) rates.accounts = { ...rates.accounts, [name]: rate }
    else throw new Error(`unknown rate ${name}; the rates are ${[...names, ...Object.keys(roles)].join(', ')}`)
  }
  return rates
}
