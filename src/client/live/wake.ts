import type { Timers } from './timers.ts'

const TICK_MS = 5_000
/** A tick this late means that the machine slept. Connections from before are probably dead. */
const SLEPT_MS = 20_000

/** The parts of a browser's window and document that are used. Other platforms have fewer. */
interface Page {
  addEventListener?(name: string, listener: () => void): void
  removeEventListener?(name: string, listener: () => void): void
  document?: { visibilityState: string }
}

/**
 * Calls back when an open connection should no longer be trusted: after sleep, when the network changes, and when a
 * page is shown again. Returns a function that stops it.
 */
export function onWake(timers: Timers, wake: () => void): () => void {
  let last = timers.now()
  const look = () => {
    const slept = timers.now() - last > SLEPT_MS
    last = timers.now()
    if (slept) wake()
  }
  const tick = () => {
    cancel = timers.after(TICK_MS, tick)
    look()
  }
  let cancel = timers.after(TICK_MS, tick)
  const page = globalThis as Page
  const shown = () => page.document?.visibilityState === 'visible' && look()
  page.addEventListener?.('online', wake)
  page.addEventListener?.('offline', wake)
  page.addEventListener?.('visibilitychange', shown)
  return () => {
    cancel()
    page.removeEventListener?.('online', wake)
    page.removeEventListener?.('offline', wake)
    page.removeEventListener?.('visibilitychange', shown)
  }
}
