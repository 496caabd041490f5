import assert from 'node:assert/strict'
import test from 'node:test'
import { oneOfFew } from '../../src/core/kernel/base/few-at-once.ts'
import type { Chat } from '../../src/core/kernel/chat.ts'
import { register } from '../../src/index.ts'
import { world } from '../../src/testing/world.ts'

test('builds a few states at a time, in request order, even after a failure', async () => {
  const chat = {} as Chat
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (i: number) => async () => {
    begun.push(i)
    await new Promise<void>((resolve) => ends.push(resolve))
    if (i === 0) throw new Error('failed')
    return i
  }
  const all = Promise.allSettled(Array.from({ length: 8 }, (_, i) => oneOfFew(chat, work(i))))
  assert.deepEqual(begun, [0, 1])
  for (let i = 0; i < 8; i++) {
    ends[i]!()
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    assert.deepEqual(begun.slice(2), [2, 3, 4, 5, 6, 7].slice(0, i + 1))
  }
  const ended = (await all).map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))
  assert.deepEqual(ended, ['failed', 1, 2, 3, 4, 5, 6, 7])
  // The places are free again.
  const [once, twice] = [oneOfFew(chat, async () => 'a'), oneOfFew(chat, async () => 'b')]
  assert.deepEqual(await Promise.all([once, twice]), ['a', 'b'])
})

test('gives every one of many registering clients a queue, even inside a write', async () => {
  await using w = await world({})
  const { hamlet } = w.people
  const queues = await Promise.all(Array.from({ length: 20 }, () => register(hamlet, { event_types: ['message'] })))
  assert.equal(new Set(queues.map((queue) => queue.queue_id)).size, 20)
  const { queue_id } = await hamlet.write((tx) => register(tx, { event_types: ['message'] }))
  assert.ok(queue_id)
})
