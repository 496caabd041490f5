import { millisecondsSince, moment } from './processor-time.ts'

/**
 * Measures the longest block of this event loop, in milliseconds of the processor, until the returned function is
 * called.
 */
export function longestBlock(): () => number {
  let longest = 0
  let done = false
  let before = moment()
  const turn = () => {
    longest = Math.max(longest, millisecondsSince(before))
    before = moment()
    if (!done) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    done = true
    return longest
  }
}
