import type { Caller } from '../kernel/context.ts'
import { NEWEST, OLDEST } from './anchor.ts'
import type { Narrow } from './compile.ts'
import { findMessages } from './find-messages.ts'

export interface Window {
  anchor: number
  num_before: number
  num_after: number
}

/** Ids around an anchor, ascending on both sides; the anchor itself is in neither. */
export async function windowAround(caller: Caller, narrow: Narrow, { anchor, num_before, num_after }: Window) {
  // One more than requested shows whether there are more.
  const before =
    anchor <= OLDEST
      ? []
      : await findMessages(caller, narrow, { from: anchor - 1, direction: 'desc', limit: num_before + 1 })
  const from =
    anchor >= NEWEST ? [] : await findMessages(caller, narrow, { from: anchor, direction: 'asc', limit: num_after + 2 })
  const atAnchor = from[0] === anchor
  const after = atAnchor ? from.slice(1) : from
  return {
    before: before.slice(0, num_before).reverse(),
    atAnchor,
    after: after.slice(0, num_after),
    found_oldest: before.length <= num_before,
    found_newest: after.length <= num_after,
  }
}
