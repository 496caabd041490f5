import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { busOf } from '../../src/core/events/log/bus.ts'
import { olderForms } from '../../src/core/events/queues/compat.ts'
import { getEvents } from '../../src/core/events/queues/poll.ts'
import { register } from '../../src/core/events/queues/register.ts'
import { type EventType, eventTypes } from '../../src/core/events/types/table.ts'
import { actAs, openChat, sendMessage, unsubscribe } from '../../src/index.ts'
import type { Person, World } from '../../src/testing/world.ts'
import { world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

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

/** What waiting readers have read from memory since the call, as the types of the events. */
function readsOf({ chat }: Pick<World, 'chat'>): string[][] {
  const bus = busOf(chat)
  const { recent } = bus
  const reads: string[][] = []
  bus.recent = (position, limit) => {
    const entries = recent(position, limit)
    if (entries?.length) reads.push(entries.map((entry) => entry.type))
    return entries
  }
  return reads
}

const typing = (w: World) =>
  w.people.cordelia.api.post('/typing', { op: 'start', type: 'direct', to: [w.people.hamlet.id] })

test('wakes a reader only for the types that it registered for', async () => {
  await using w = await world()
  const [answer] = await waitIn(w, w.people.hamlet)
  const reads = readsOf(w)
  for (let i = 0; i < 20; i++) await typing(w)
  await w.people.iago.says('to all')
  const { events } = await answer!
  assert.deepEqual(
    events.map((event) => event.type),
    ['message'],
  )
  // Read once, from the message on.
  assert.deepEqual(
    reads.map(([first]) => first),
    ['message'],
  )
})

test('knows the logged type of every older form', () => {
  const older = Object.keys(eventTypes).filter((type) => !('logged' in eventTypes[type as EventType]))
  assert.deepEqual(Object.values(olderForms).flat().sort(), older.sort())
})

test('wakes a reader only for messages that its narrow can match', async () => {
  await using w = await world({ streams: { elsewhere: { members: ['hamlet', 'iago'] } } })
  const { hamlet, iago } = w.people
  const narrows = [
    [{ operator: 'channel', operand: 'elsewhere' }],
    [{ operator: 'topic', operand: 'lunch' }],
    [{ operator: 'sender', operand: 'iago@example.com' }],
    [{ operator: 'dm', operand: 'iago@example.com' }],
  ]
  const queues = []
  for (const narrow of narrows) queues.push(await register(hamlet, { event_types: ['message'], narrow }))
  const answers = queues.map((queue) => getEvents(hamlet, queue))
  await eventually('they wait', () => busOf(w.chat).waiting() === narrows.length)
  const reads = readsOf(w)
  for (let i = 0; i < 20; i++) await w.people.cordelia.says('of no interest')
  await iago.says('to all', { stream: 'elsewhere', topic: 'lunch' })
  await iago.says('to one', { people: [hamlet] })
  const contents = []
  for (const answer of answers) {
    const { events } = await answer
    contents.push(events.map((event) => event.type === 'message' && event.message.content))
  }
  assert.deepEqual(contents, [['to all'], ['to all'], ['to all'], ['to one']])
  assert.ok(reads.length <= 2 * narrows.length, `${reads.length} reads`)
})

test("follows its user's role and subscriptions while it waits for messages only", async () => {
  await using w = await world({ streams: { other: { members: ['cordelia'] } } })
  const { hamlet, cordelia, iago } = w.people
  const queue = await register(hamlet, {
    event_types: ['message'],
    all_public_streams: true,
    narrow: [{ operator: 'is', operand: 'dm', negated: true }],
  })
  const answer = getEvents(hamlet, queue)
  await eventually('it waits', () => busOf(w.chat).waiting() === 1)
  await iago.api.patch(`/users/${hamlet.id}`, { role: 600 })
  await cordelia.says('not for guests', { stream: 'other' })
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'other' }], principals: [hamlet.id] })
  await cordelia.says('for members of the channel', { stream: 'other' })
  const { events } = await answer
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.content),
    ['for members of the channel'],
  )
})

test('wakes a reader for messages that match its narrow since it waits', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const narrow = [{ operator: 'is', operand: 'followed' }]
  const queue = await register(hamlet, { event_types: ['message'], narrow })
  await iago.says('first', { topic: 'lunch' })
  const answer = getEvents(hamlet, queue)
  await eventually('it waits', () => busOf(w.chat).waiting() === 1)
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'general' })
  await hamlet.api.post('/user_topics', { stream_id, topic: 'lunch', visibility_policy: 3 })
  await iago.says('second', { topic: 'lunch' })
  const { events } = await answer
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.content),
    ['second'],
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

test('loads the newest events of the log when the first reader resumes after a restart', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  const { queues, user_id } = await (async () => {
    await using w = await world({ chat: { db } })
    const { hamlet, iago } = w.people
    const queues = [await register(hamlet, {}), await register(hamlet, {})]
    for (let i = 0; i < 3; i++) await iago.says(`message ${i}`)
    return { queues, user_id: hamlet.id }
  })()
  await using chat = await openChat({ db })
  const bus = busOf(chat)
  const hamlet = await actAs(chat, { user_id })
  const start = queues[0]!.last_event_id
  assert.equal(bus.recent(start, 100), undefined)
  for (const queue of queues) {
    const { events } = await getEvents(hamlet, { ...queue, dont_block: true })
    assert.equal(events.filter((event) => event.type === 'message').length, 3)
  }
  const remembered = bus.recent(start, 100)!
  assert.equal(remembered.filter((entry) => entry.type === 'message').length, 3)
  // Both readers share the entries and the JSON of the first read.
  assert.ok(remembered.every((entry) => entry.type !== 'message' || entry.texts.size === 1))
})

test('answers the sender before the waiting readers are asked', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  let asked = 0
  const wants = () => {
    asked++
    return false
  }
  const { user } = hamlet
  const leave = busOf(w.chat).wait({ user, periods: new Map(), receivesAllPublic: false, wants, wake() {} })
  await sendMessage(iago, { type: 'direct', to: [hamlet.id], content: 'to one' })
  assert.equal(asked, 0)
  await eventually('the reader is asked', () => asked > 0)
  leave()
})

test('a poll that ends before it is asked about an event returns the event', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const over = new AbortController()
  const queue = await register(hamlet, { event_types: ['message'], fetch_event_types: [] })
  const answer = getEvents({ ...hamlet, signal: over.signal }, queue)
  await eventually('it waits', () => busOf(w.chat).waiting() === 1)
  busOf(w.chat).onEvent(() => over.abort())
  await iago.says('just in time')
  const { events } = await answer
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.content),
    ['just in time'],
  )
})

test('a reader gets an event from before they left the channel if their other reader returns in between', async () => {
  await using w = await world({ streams: { other: { members: ['hamlet', 'cordelia'] } } })
  const { hamlet, cordelia } = w.people
  const queue = await register(hamlet, { event_types: ['message'], fetch_event_types: [] })
  const first = getEvents(hamlet, queue)
  await eventually('it waits', () => busOf(w.chat).waiting() === 1)
  const bus = busOf(w.chat)
  // Both are published in one turn, and the other reader waits in the same turn with the new subscriptions.
  bus.onEvent(({ type, audience }) => {
    if (type === 'subscription' && audience.users?.includes(hamlet.id)) {
      const leave = bus.wait({
        user: hamlet.user,
        periods: new Map(),
        receivesAllPublic: false,
        wants: () => false,
        wake() {},
      })
      setImmediate(leave)
    }
  })
  await Promise.all([
    sendMessage(cordelia, { type: 'stream', to: 'other', topic: 'lunch', content: 'before' }),
    unsubscribe(hamlet, { subscriptions: ['other'] }),
  ])
  const { events } = await first
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.content),
    ['before'],
  )
})
