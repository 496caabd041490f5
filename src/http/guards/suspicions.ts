import type { Clock } from '../../core/kernel/base/clock.ts'
import type { Quota } from './quota.ts'

/** Wrong passwords for an account, from addresses it hasn't signed in from, that are reported. */
const SUSPICIOUS = 20
const DAY_MS = 24 * 3600 * 1000
const MAX_ACCOUNTS = 10_000

/** Called with the address of an account and how many wrong passwords were tried. */
export type OnGuesses = (account: string, guesses: number) => void

/** Returns a function that reports many wrong passwords for an account, once a day. */
export function suspicions(clock: Clock, onGuesses: OnGuesses): (account: string, quota: Quota) => void {
  /** When each account was last reported, oldest first. */
  const reported = new Map<string, number>()
  return (account, { rate, left }) => {
    const guesses = Math.floor(rate.requests - left)
    if (guesses < Math.min(SUSPICIOUS, rate.requests)) return
    const now = clock.now()
    if (now - (reported.get(account) ?? Number.NEGATIVE_INFINITY) < DAY_MS) return
    if (reported.size >= MAX_ACCOUNTS) reported.delete(reported.keys().next().value!)
    reported.delete(account)
    reported.set(account, now)
    onGuesses(account, guesses)
  }
}
