import type { Clock } from '../../kernel/base/clock.ts'

/** Failures in a row after which a server isn't asked for some time, and that time. */
const MAX_FAILURES = 5
const PAUSE_MS = 60_000

/** Counts the failures of a server that people sign in with. */
export interface Breaker {
  /** Whether the server is not asked now. */
  isPaused(): boolean
  /** Notes an answer, or why there was none. */
  note(problem: string | undefined): void
}

/** @param onChange - called when the server stops working, with the reason, and when it works again */
export function createBreaker(clock: Clock, onChange: (problem: string | undefined) => void): Breaker {
  let failures = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  let problem: string | undefined | null = null
  return {
    isPaused: () => clock.now() < pausedUntil,
    note(now) {
      failures = now === undefined ? 0 : failures + 1
      if (failures >= MAX_FAILURES) pausedUntil = clock.now() + PAUSE_MS
      // Reported once, not with each sign-in.
      if ((problem === undefined) !== (now === undefined) || problem === null) onChange(now)
      problem = now
    },
  }
}
