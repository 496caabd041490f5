/** The chat's time. Tests inject a clock that they advance by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Calls back once after this many milliseconds. Returns a function that cancels it. Never keeps the process alive.
   */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    // @NOTE Node fires a delay over 2^31 ms immediately, so longer waits are restarted when this one expires
    const timer = setTimeout(callback, Math.min(ms, 0x7fffffff))
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** How often a wait for a time of day looks at the clock. */
const LOOK_MS = 60_000

/**
 * Calls back at a time in milliseconds since 1970, or when the clock was set back; returns a function that cancels it.
 * A timer alone would be late: it stops while the machine sleeps and doesn't notice when the clock is set.
 */
export function atTime(clock: Clock, time: number, callback: () => void): () => void {
  const began = clock.now()
  let cancel = () => {}
  const wait = () => {
    cancel = clock.after(Math.min(Math.max(time - clock.now(), 0), LOOK_MS), look)
  }
  const look = () => {
    const now = clock.now()
    if (now >= time || now < began) callback()
    else wait()
  }
  wait()
  return () => cancel()
}

export interface ManualClock extends Clock {
  /** Advances the time, firing timers that come due, in order. */
  advance(ms: number): void
  /** Sets the time, for instance back. Fires nothing: timers that are due then fire with the next advance. */
  set(now: number): void
}

/**
 * Creates a clock for tests, which is fixed until it is advanced.
 *
 * @param start - milliseconds since 1970
 * @example
 * const clock = manualClock()
 * await using testChat = await openChat({ clock })
 * clock.advance(60_000)
 */
export function manualClock(start = Date.UTC(2026, 0, 1, 12)): ManualClock {
  let now = start
  const timers = new Set<{ at: number; callback: () => void }>()
  const earliest = () => {
    let [first] = timers
    for (const timer of timers) if (timer.at < first!.at) first = timer
    return first
  }
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const due = earliest()
        if (!due || due.at > end) break
        timers.delete(due)
        now = Math.max(now, due.at)
        due.callback()
      }
      now = end
    },
    set(at) {
      now = at
    },
  }
}

export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000)
