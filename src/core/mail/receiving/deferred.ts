import type { Clock } from '../../kernel/base/clock.ts'

/** How long to wait until an email is read again, after each time that it could not be accepted by all recipients. */
const PAUSES_MS = [60_000, 300_000, 900_000]
/** The oldest are forgotten, and are read again. */
const MAX_EMAILS = 1000

interface Waiting {
  /** The recipients that could not take it. */
  recipients: readonly string[]
  times: number
  until: number
}

/** Emails that were read but can't be accepted by all recipients yet, so that they aren't read again before they can. */
export function createDeferred(clock: Clock, most = MAX_EMAILS) {
  const waiting = new Map<number, Waiting>()
  return {
    /**
     * Returns whether it is too early to read an email again.
     *
     * @param isFull - whether a recipient takes no email now
     */
    waits(uid: number, isFull: (recipient: string) => boolean): boolean {
      const entry = waiting.get(uid)
      return entry !== undefined && (clock.now() < entry.until || entry.recipients.every(isFull))
    },
    add(uid: number, recipients: readonly string[]): void {
      const times = (waiting.get(uid)?.times ?? 0) + 1
      waiting.delete(uid)
      waiting.set(uid, { recipients, times, until: clock.now() + PAUSES_MS[Math.min(times, PAUSES_MS.length) - 1]! })
      if (waiting.size > most) waiting.delete(waiting.keys().next().value!)
    },
    forget: (uid: number): void => void waiting.delete(uid),
  }
}

export type Deferred = ReturnType<typeof createDeferred>
