import type { Clock } from '../../core/kernel/base/clock.ts'

/** Time for a body that must be complete before its action runs. Checks may find it a little later. */
const WHOLE_BODY_MS = 30_000
const LOOK_EVERY_MS = 5_000

/** Ends bodies that take too long. */
export interface Deadlines {
  readonly clock: Clock
  /** Calls back when the time is over. Returns a function that cancels it. */
  watch(onLate: () => void): () => void
}

/** One timer serves all requests. A timer for each would cost more than reading most bodies. */
export function createDeadlines(clock: Clock): Deadlines {
  /** Oldest first. */
  const watched = new Set<{ since: number; onLate: () => void }>()
  let looking = false

  function look(): void {
    looking = false
    for (const entry of watched) {
      if (clock.now() - entry.since < WHOLE_BODY_MS) break
      watched.delete(entry)
      entry.onLate()
    }
    if (watched.size > 0) lookLater()
  }
  function lookLater(): void {
    if (looking) return
    looking = true
    clock.after(LOOK_EVERY_MS, look)
  }

  return {
    clock,
    watch(onLate) {
      const entry = { since: clock.now(), onLate }
      watched.add(entry)
      lookLater()
      return () => void watched.delete(entry)
    },
  }
}
