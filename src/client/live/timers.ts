/** Clock and timers, which tests control. */
export interface Timers {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once after this many milliseconds. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
