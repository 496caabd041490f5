/** Timers that a test's fake ones don't replace, for the layers above core, which know storage only through core. */
export { nextTurn, timers } from '../../../storage/index.ts'
