/** Timers that a test's fake ones do not replace, for the layers above core: they know storage by core alone. */
export { nextTurn, timers } from '../../../storage/index.ts'
