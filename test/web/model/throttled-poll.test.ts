import assert from 'node:assert/strict'
import test from 'node:test'
import { throttledPollFetch } from '../../../web/model/state/throttled-poll.ts'

test('polls beyond a burst wait, and other requests never do', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const sent: string[] = []
  const request = throttledPollFetch(
    async (input) => {
      sent.push(String(input))
      return new Response()
    },
    () => now,
  )
  for (let i = 0; i < 20; i++) await request('/json/events?queue_id=1')
  const next = request('/json/events?queue_id=1')
  await request('/json/messages')
  assert.equal(sent.length, 21)
  t.mock.timers.tick(599)
  await Promise.resolve()
  assert.equal(sent.length, 21)
  t.mock.timers.tick(1)
  await next
  assert.equal(sent.length, 22)
  now += 60_000
  await request('/json/events?queue_id=1')
  assert.equal(sent.length, 23)
})
