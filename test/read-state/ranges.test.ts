import assert from 'node:assert/strict'
import test from 'node:test'
import {
  complement,
  gapsBetween,
  intersection,
  mergeRanges,
  type Range,
  withIds,
  withoutIds,
} from '../../src/core/read-state/intervals.ts'

const r = (lo: number, hi: number): Range => ({ lo, hi })

test('inserts ids between ranges and skips those inside', () => {
  assert.deepEqual(withIds([r(3, 5), r(9, 9)], [1, 4, 5, 6, 10]), [r(1, 1), r(3, 5), r(6, 6), r(9, 9), r(10, 10)])
  assert.deepEqual(withIds([], [2]), [r(2, 2)])
})

test('merges adjacent ranges except across kept boundaries', () => {
  const ranges = [r(1, 2), r(3, 4), r(8, 9)]
  assert.deepEqual(gapsBetween(ranges), [{ after: 1, lo: 5, hi: 7 }])
  assert.deepEqual(
    mergeRanges(ranges, () => false),
    [r(1, 9)],
  )
  assert.deepEqual(
    mergeRanges(ranges, (after) => after === 1),
    [r(1, 4), r(8, 9)],
  )
})

test('removing ids splits ranges', () => {
  assert.deepEqual(withoutIds([r(1, 5), r(7, 7)], [1, 3, 7]), [r(2, 2), r(4, 5)])
  assert.deepEqual(withoutIds([r(1, 5)], [6]), [r(1, 5)])
})

test('intersects and subtracts lists', () => {
  assert.deepEqual(intersection([r(1, 5), r(8, 10)], [r(4, 8), r(10, 20)]), [r(4, 5), r(8, 8), r(10, 10)])
  assert.deepEqual(complement([r(1, 5), r(8, 8)]), [r(6, 7), r(9, Number.MAX_SAFE_INTEGER)])
})
