import type { Clock } from '../../core/kernel/base/clock.ts'
import { MAX_EMAIL_LENGTH } from '../../core/kernel/base/limits.ts'
import type { PasswordGuard, PasswordVerdict } from '../../core/kernel/context.ts'
import type { User } from '../../core/kernel/user.ts'
import type { Client } from '../proxy.ts'
import { type Counters, memoryCounters } from './counters.ts'
import { type Quota, take } from './quota.ts'
import { accountKey, defaultRates, type Rate, type Rates, userRates } from './rates.ts'
import { type OnGuesses, suspicions } from './suspicions.ts'

/** Counts requests and passwords, and throws RATE_LIMIT_HIT if there are too many. */
export interface Guards {
  /** Counts a request of a signed-in user. */
  user(user: User, client: Client, limit?: 'files' | 'polls'): Promise<Quota> | undefined
  /** Counts a request without an account, or a failed sign-in. */
  address(client: Client, limit: 'address' | 'files' | 'mail'): Promise<Quota> | undefined
  /** Returns the function that runs the password checks of one client. */
  password(client: Client): PasswordGuard | undefined
}

export const noGuards: Guards = {
  user: () => undefined,
  address: () => undefined,
  password: () => undefined,
}

interface GuardOptions {
  clock: Clock
  rates?: Partial<Rates> | undefined
  counters?: Counters | undefined
  /** Called once a day for an account whose password is being guessed from unknown addresses. */
  onGuesses?: OnGuesses
}

export function createGuards({
  clock,
  counters = memoryCounters(clock),
  onGuesses = () => {},
  ...options
}: GuardOptions): Guards {
  const rates: Rates = { ...defaultRates, ...options.rates }
  const rateOf = userRates(rates)
  const known = createKnownAddresses(clock)
  const suspect = suspicions(clock, onGuesses)
  const takeOne = (name: keyof Rates, key: string, rate: Rate) => take(counters, clock, name, `${name} ${key}`, rate)

  return {
    user(user, client, limit) {
      known.note(user.email_key, addressKey(client.address))
      // A page shows many files together, and clients poll again after each event.
      if (limit) return takeOne(limit, `user ${user.id}`, rates[limit])
      return takeOne('user', String(user.id), rateOf(user))
    },
    address: (client, limit) => takeOne(limit, addressKey(client.address), rates[limit]),
    password: (client) => async (name, attempt) => {
      // No account has a longer name. Longer ones could fill the memory.
      const account = accountKey(name).slice(0, MAX_EMAIL_LENGTH)
      const address = addressKey(client.address)
      const isKnown = known.has(account, address)
      const buckets: [keyof Rates, string, Rate][] = [['password', `${account} ${address}`, rates.password]]
      // Using these up locks out unknown addresses, but not the owner's usual ones.
      if (!isKnown) {
        buckets.push(
          ['passwordAccount', account, rates.passwordAccount],
          ['passwordAddress', address, rates.passwordAddress],
        )
      }
      const taken: typeof buckets = []
      let fromUnknown: Quota | undefined
      let right: PasswordVerdict | undefined
      try {
        // Taken before the check, so that concurrent attempts count too.
        for (const bucket of buckets) {
          const quota = await takeOne(...bucket)
          if (bucket[0] === 'passwordAccount') fromUnknown = quota
          taken.push(bucket)
        }
        const verdict = await attempt()
        right = verdict
        if (right === false && fromUnknown) suspect(account, fromUnknown)
        return verdict
      } finally {
        for (const [limit, key, rate] of taken) {
          // A right password that is off counts like a wrong one, so that the limits don't tell them apart. It is no
          // guess that people should be warned of, and the account's own count is the number of guesses.
          const counts = right === false || (right === 'off' && limit !== 'passwordAccount')
          if (!counts) await counters.giveBack(`${limit} ${key}`, rate)
        }
        if (right === true) {
          await counters.reset(`password ${account} ${address}`)
          known.note(account, address)
        }
      }
    },
  }
}

/**
 * Returns the key under which an address is counted. IPv6 gives each household a /64, which therefore counts as one.
 */
export function addressKey(ip: string | undefined): string {
  if (!ip) return 'in process'
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  const [head = '', tail] = ip.split('%')[0]!.toLowerCase().split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - start.length - end.length
  const groups = [...start, ...Array<string>(Math.max(0, missing)).fill('0'), ...end]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

const DAY_MS = 24 * 3600 * 1000
/** An address is known for this long after an account's last sign-in from it. */
const KNOWN_FOR_MS = 30 * DAY_MS
/** A sign-in within this time after the last one needn't be recorded. */
const FRESH_MS = 3600 * 1000
const MAX_ADDRESSES_PER_ACCOUNT = 20
const MAX_ACCOUNTS = 50_000

/** The addresses that accounts signed in from. */
interface KnownAddresses {
  note(account: string, address: string): void
  has(account: string, address: string): boolean
}

function createKnownAddresses(clock: Clock): KnownAddresses {
  /** For each account, when each address was last seen, oldest first. */
  const accounts = new Map<string, Map<string, number>>()
  return {
    note(account, address) {
      const now = clock.now()
      let addresses = accounts.get(account)
      if (now - (addresses?.get(address) ?? Number.NEGATIVE_INFINITY) < FRESH_MS) return
      if (!addresses) {
        if (accounts.size >= MAX_ACCOUNTS) accounts.delete(accounts.keys().next().value!)
        addresses = new Map()
        accounts.set(account, addresses)
      }
      addresses.delete(address)
      addresses.set(address, now)
      if (addresses.size > MAX_ADDRESSES_PER_ACCOUNT) addresses.delete(addresses.keys().next().value!)
    },
    has: (account, address) =>
      clock.now() - (accounts.get(account)?.get(address) ?? Number.NEGATIVE_INFINITY) < KNOWN_FOR_MS,
  }
}
