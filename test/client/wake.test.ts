import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onWake } from '../../src/client/live/wake.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'

/** A page as a browser has it, for as long as a test runs. */
function page() {
  const target = new EventTarget()
  const document = { visibilityState: 'visible' }
  const added = {
    document,
    addEventListener: (name: string, listener: () => void) => target.addEventListener(name, listener),
    removeEventListener: (name: string, listener: () => void) => target.removeEventListener(name, listener),
  }
  Object.assign(globalThis, added)
  return {
    document,
    say: (name: string) => target.dispatchEvent(new Event(name)),
    [Symbol.dispose]() {
      for (const name of Object.keys(added)) Reflect.deleteProperty(globalThis, name)
    },
  }
}

test('wakes on network changes and when shown after sleep', () => {
  using shown = page()
  const timers = manualClock()
  let woken = 0
  const end = onWake(timers, () => woken++)
  shown.say('offline')
  shown.say('online')
  assert.equal(woken, 2)
  shown.say('visibilitychange')
  assert.equal(woken, 2)
  const { now } = timers
  timers.now = () => now() + 3_600_000
  shown.document.visibilityState = 'hidden'
  shown.say('visibilitychange')
  assert.equal(woken, 2)
  shown.document.visibilityState = 'visible'
  shown.say('visibilitychange')
  assert.equal(woken, 3)
  end()
  shown.say('online')
  timers.advance(3_600_000)
  assert.equal(woken, 3)
})
