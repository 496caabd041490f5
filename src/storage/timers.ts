import nodeTimers from 'node:timers'

const { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval } = nodeTimers
const { nextTick } = process

/**
 * The process's original timers. Internal waits use them, so that a test with fake timers (node:test, vitest, jest)
 * doesn't stop every write and every response. Everything that depends on the time of day uses the chat's clock.
 */
export const timers = { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval, nextTick }

/** Resolves in a later turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
