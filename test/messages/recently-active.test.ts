import assert from 'node:assert/strict'
import test from 'node:test'
import { updateRecentActivity } from '../../src/core/messages/retention/inactive-streams.ts'
import { type World, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'

const DAY = 86_400_000

/** Streams that are shown as recently active. */
async function active(w: World): Promise<string[]> {
  const { streams } = await w.people.iago.api.get('/streams')
  const found = streams.filter((stream: { is_recently_active: boolean }) => stream.is_recently_active)
  return found.map((stream: { name: string }) => stream.name).sort()
}

test('a stream is active for 180 days from its creation and its newest user message', async () => {
  await using w = await world({ streams: { quiet: {}, used: {} } })
  const { iago, hamlet } = w.people
  const all = await active(w)
  w.clock.advance(100 * DAY)
  await hamlet.says('still here', { stream: 'used', topic: 'x' })
  w.clock.advance(79 * DAY)
  await updateRecentActivity(w.chat)
  assert.deepEqual(await active(w), all)
  w.clock.advance(2 * DAY)
  // A notice of the server in the stream is nobody's message.
  await iago.api.patch(`/streams/${await w.streamId('quiet')}`, { description: 'of no use' })
  await verifyEvents([iago, hamlet], () => updateRecentActivity(w.chat))
  assert.deepEqual(await active(w), ['used'])
  w.clock.advance(100 * DAY)
  await updateRecentActivity(w.chat)
  assert.deepEqual(await active(w), [])
})

test('the first new message makes a stream active again, once', async () => {
  await using w = await world({ streams: { quiet: {} } })
  const { iago, hamlet } = w.people
  w.clock.advance(181 * DAY)
  await updateRecentActivity(w.chat)
  const { queue_id, last_event_id } = await hamlet.api.post('/register', { event_types: ['stream'] })
  await verifyEvents([iago, hamlet], async () => {
    await hamlet.says('news', { stream: 'quiet', topic: 'x' })
    await hamlet.says('more', { stream: 'quiet', topic: 'x' })
  })
  assert.deepEqual(await active(w), ['quiet'])
  const { events } = await hamlet.api.get('/events', { queue_id, last_event_id, dont_block: true })
  const of = events.filter((event: { property: string }) => event.property === 'is_recently_active')
  assert.deepEqual(
    of.map(({ name, value }: { name: string; value: boolean }) => [name, value]),
    [['quiet', true]],
  )
})

test('the daily update counts moved messages by age', async () => {
  await using w = await world({ streams: { quiet: {}, used: {} } })
  const { iago } = w.people
  w.clock.advance(181 * DAY)
  const { id } = await iago.says('moved', { stream: 'used', topic: 'x' })
  await updateRecentActivity(w.chat)
  assert.deepEqual(await active(w), ['used'])
  await iago.api.patch(`/messages/${id}`, { stream_id: await w.streamId('quiet'), propagate_mode: 'change_all' })
  // The daily round is due by now.
  w.clock.advance(DAY)
  await updateRecentActivity(w.chat)
  assert.ok((await active(w)).includes('quiet'))
})
