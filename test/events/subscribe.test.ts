import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deactivateUser } from '../../src/core/accounts/deactivate.ts'
import { busOf } from '../../src/core/events/log/bus.ts'
import { queuesInUse } from '../../src/core/events/log/queues.ts'
import { subscribeToEvents } from '../../src/core/events/queues/subscribe.ts'
import { world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'

test('an embedder receives what a user may see, starting at the call', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const events = subscribeToEvents(hamlet, { types: ['message'] })
  await iago.says('one')
  const seen: string[] = []
  for await (const event of events) {
    seen.push(event.message.content)
    if (seen.length === 3) break
    await iago.says(seen.length === 1 ? 'two' : 'three')
  }
  assert.deepEqual(seen, ['<p>one</p>', '<p>two</p>', '<p>three</p>'])
  assert.equal(busOf(w.chat).waiting(), 0)
  assert.equal(queuesInUse(w.chat).size, 0)
})

test('the loop ends with the signal, with the chat and when the user is deactivated', async () => {
  const w = await world()
  const { iago, hamlet, cordelia } = w.people
  const drain = async (events: AsyncIterable<unknown>) => {
    for await (const _ of events);
  }
  const signal = new AbortController()
  const stopped = drain(subscribeToEvents(hamlet, { types: ['message'], signal: signal.signal }))
  const ended = drain(subscribeToEvents(cordelia, { types: ['message'] }))
  const closed = drain(subscribeToEvents(iago, { types: ['message'] }))
  const isRefused = assert.rejects(ended, { code: 'BAD_EVENT_QUEUE_ID' })
  await eventually('all wait', () => busOf(w.chat).waiting() === 3)
  signal.abort()
  await stopped
  await deactivateUser(iago, { user_id: cordelia.id })
  await isRefused
  await w.chat.close()
  await closed
  assert.equal(queuesInUse(w.chat).size, 0)
})
