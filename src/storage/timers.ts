import nodeTimers from 'node:timers'

const { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval } = nodeTimers
const { nextTick } = process

/**
 * The timers of the process as they were at its start. The program's own waiting goes by them: a test that puts fake
 * ones in their place (node:test, vitest, jest) must not stop every write and every answer. What depends on the time of
 * day goes by the chat's clock.
 */
export const timers = { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval, nextTick }

/** Resolves when others have had a turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
