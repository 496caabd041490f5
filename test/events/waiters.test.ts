import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busOf } from '../../src/core/events/log/bus.ts'
import { getEvents } from '../../src/core/events/queues/poll.ts'
import { register } from '../../src/core/events/queues/register.ts'
import type { Person, World } from '../../src/testing/world.ts'
import { world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'

async function waitIn(w: Pick<World, 'chat'>, person: Person, count = 1) {
  const queues = []
  for (let i = 0; i < count; i++)
    queues.push(await register(person, { event_types: ['message', 'user_settings'], fetch_event_types: [] }))
  const answers = queues.map((queue) => getEvents(person, queue))
  await eventually('they wait', () => busOf(w.chat).waiting() === count)
  return answers
}

test("a heartbeat doesn't reread events meant for others", async () => {
  await using w = await world({ streams: { elsewhere: { private: true, members: ['cordelia'] } } })
  const { hamlet, cordelia } = w.people
  const [answer] = await waitIn(w, hamlet)
  for (let i = 0; i < 20; i++) await cordelia.says('not for everybody', { stream: 'elsewhere' })
  const bus = busOf(w.chat)
  const read: number[] = []
  const { recent } = bus
  bus.recent = (position, limit) => {
    const entries = recent(position, limit)
    read.push(entries?.length ?? -1)
    return entries
  }
  w.clock.advance(45_000)
  const { events } = await answer!
  assert.deepEqual(
    events.map((event) => event.type),
    ['heartbeat'],
  )
  // At most the heartbeat's own entry.
  assert.ok(
    read.every((count) => count === 0 || count === 1),
    `read ${read}`,
  )
})

test('receives its event after many for others, with those that followed', async () => {
  await using w = await world({ streams: { elsewhere: { private: true, members: ['cordelia'] } } })
  const { hamlet, cordelia } = w.people
  const [answer] = await waitIn(w, hamlet)
  await cordelia.says('not for everybody', { stream: 'elsewhere' })
  await hamlet.api.patch('/settings', { high_contrast_mode: true, twenty_four_hour_time: true })
  const { events } = await answer!
  assert.deepEqual(
    events.map((event) => (event.type === 'user_settings' ? event.property : event.type)),
    ['twenty_four_hour_time', 'high_contrast_mode'],
  )
})

test('a new subscriber who is waiting gets the next message; one who left does not', async () => {
  await using w = await world({ streams: { other: { members: ['cordelia'] } } })
  const { hamlet, cordelia } = w.people
  const contentsOf = async (last_event_id: number, queue_id: string) => {
    const { events } = await getEvents(hamlet, { queue_id, last_event_id, dont_block: true })
    return events.flatMap((event) => (event.type === 'message' ? [event.message.content] : []))
  }
  const queue = await register(hamlet, { fetch_event_types: [] })
  const first = getEvents(hamlet, queue)
  await eventually('it waits', () => busOf(w.chat).waiting() === 1)
  await hamlet.joins('other')
  await cordelia.says('for members', { stream: 'other' })
  await first
  assert.deepEqual(await contentsOf(queue.last_event_id, queue.queue_id), ['for members'])
  await hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['other'] })
  await cordelia.says('for those who stayed', { stream: 'other' })
  assert.deepEqual(await contentsOf(queue.last_event_id, queue.queue_id), ['for members'])
})

test('answers a hundred polls that begin together', async () => {
  await using w = await world()
  const answers = await waitIn(w, w.people.hamlet, 99)
  await w.people.iago.says('to all')
  for (const { events } of await Promise.all(answers)) assert.equal(events.length, 1)
})
