import assert from 'node:assert/strict'
import test from 'node:test'
import { createDeferred } from '../../../src/core/mail/receiving/deferred.ts'
import { manualClock } from '../../../src/testing/index.ts'

test('waits longer each time, while all recipients are full, and forgets the oldest beyond its limit', () => {
  const clock = manualClock()
  const deferred = createDeferred(clock, 2)
  const isFull = new Set<string>()
  const waits = (uid: number) => deferred.waits(uid, (recipient) => isFull.has(recipient))
  assert.equal(waits(1), false)
  for (const minutes of [1, 5, 15, 15]) {
    deferred.add(1, ['a', 'b'])
    clock.advance(minutes * 60_000 - 1)
    assert.equal(waits(1), true)
    clock.advance(1)
    assert.equal(waits(1), false)
  }
  isFull.add('a')
  assert.equal(waits(1), false)
  isFull.add('b')
  assert.equal(waits(1), true)
  deferred.add(2, ['a'])
  deferred.add(3, ['a'])
  assert.deepEqual([waits(1), waits(2), waits(3)], [false, true, true])
  deferred.forget(3)
  assert.equal(waits(3), false)
})
