import type { Clock } from '../../core/kernel/base/clock.ts'

const DAY_MS = 24 * 3600 * 1000
/** An address from which an account has not signed in for this long is no longer known. */
const KNOWN_FOR_MS = 30 * DAY_MS
/** A sign-in within this time of the last one need not be recorded again. */
const FRESH_MS = 3600 * 1000
const MAX_ADDRESSES_PER_ACCOUNT = 20
const MAX_ACCOUNTS = 50_000

/** Records the addresses that accounts signed in from. */
export interface KnownAddresses {
  note(account: string, address: string): void
  has(account: string, address: string): boolean
}

export function createKnownAddresses(clock: Clock): KnownAddresses {
  /** By account, the time each address was last seen, oldest first. */
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
