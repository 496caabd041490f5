import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deactivateUser } from '../../src/core/accounts/deactivate.ts'
import { everyone } from '../../src/core/events/log/audience.ts'
import { busOf } from '../../src/core/events/log/bus.ts'
import { emit } from '../../src/core/events/log/emit.ts'
import { queuesInUse } from '../../src/core/events/log/queues.ts'
import { getEvents } from '../../src/core/events/queues/poll.ts'
import { register } from '../../src/core/events/queues/register.ts'
import { sweep } from '../../src/core/events/queues/sweep.ts'
import type { ChatEvent } from '../../src/core/events/types/table.ts'
import { callerOf } from '../../src/core/kernel/context.ts'
import { ofType } from '../../src/testing/verify-events.ts'
import { type Person, type World, world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'

/** Resolves when so many polls wait. */
const untilWaiting = (w: Pick<World, 'chat'>, count = 1): Promise<void> =>
  eventually(`${count} wait`, () => busOf(w.chat).waiting() === count)

const queueOf = (person: Person, options = {}) => register(person, { fetch_event_types: [], ...options })

test('a waiting poll is answered by the next event', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { queue_id, last_event_id } = await queueOf(hamlet)
  const waiting = getEvents(hamlet, { queue_id, last_event_id })
  await untilWaiting(w)
  const { id } = await iago.says('hello')
  const { events } = await waiting
  assert.deepEqual(
    events.filter((event) => event.type === 'message').map((event) => event.message.id),
    [id],
  )
  assert.equal(busOf(w.chat).waiting(), 0)
})

test('sends one shared heartbeat to silent polls without losing events', async () => {
  await using w = await world()
  const people = [w.people.hamlet, w.people.cordelia, w.people.iago]
  const queues = await Promise.all(people.map((person) => queueOf(person)))
  const head = busOf(w.chat).head()
  const polls = queues.map(({ queue_id, last_event_id }, i) => getEvents(people[i]!, { queue_id, last_event_id }))
  await untilWaiting(w, 3)
  w.clock.advance(45_000)
  const answers = await Promise.all(polls)
  for (const { events } of answers) assert.deepEqual(events, [{ type: 'heartbeat', id: head + 1 }])
  // The next one has a newer id.
  const { queue_id } = queues[0]!
  const next = getEvents(people[0]!, { queue_id, last_event_id: head + 1 })
  await untilWaiting(w)
  w.clock.advance(45_000)
  assert.deepEqual((await next).events, [{ type: 'heartbeat', id: head + 2 }])
})

test('delivers events committed with a heartbeat first', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { queue_id, last_event_id } = await queueOf(hamlet)
  const waiting = getEvents(hamlet, { queue_id, last_event_id })
  await untilWaiting(w)
  const sent = iago.write((tx) => emit(tx, { type: 'alert_words', alert_words: [] }, everyone))
  w.clock.advance(45_000)
  const id = await sent
  const { events } = await waiting
  assert.deepEqual(events, [{ type: 'alert_words', alert_words: [], id }])
})

test('answers the newest of several polls on one queue', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { queue_id, last_event_id } = await queueOf(hamlet)
  const first = getEvents(hamlet, { queue_id, last_event_id })
  const second = getEvents(hamlet, { queue_id, last_event_id })
  await untilWaiting(w)
  const third = getEvents(hamlet, { queue_id, last_event_id })
  assert.deepEqual((await first).events, [])
  assert.deepEqual((await second).events, [])
  await iago.says('hello')
  assert.ok((await third).events.length > 0)
  assert.equal(busOf(w.chat).waiting(), 0)
})

test('stops waiting for a client that has disconnected', async () => {
  await using w = await world()
  const gone = new AbortController()
  const hamlet = callerOf(w.chat, w.people.hamlet.user, { signal: gone.signal })
  const { queue_id, last_event_id } = await register(hamlet, { fetch_event_types: [] })
  const waiting = getEvents(hamlet, { queue_id, last_event_id })
  await untilWaiting(w)
  gone.abort()
  assert.deepEqual((await waiting).events, [])
  assert.equal(busOf(w.chat).waiting(), 0)
})

test('deactivating a user ends their polls and queues', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { queue_id, last_event_id } = await queueOf(hamlet)
  const waiting = getEvents(hamlet, { queue_id, last_event_id })
  await untilWaiting(w)
  await deactivateUser(iago, { user_id: hamlet.id })
  await assert.rejects(waiting, { code: 'BAD_EVENT_QUEUE_ID' })
  await assert.rejects(getEvents(hamlet, { queue_id, last_event_id }), { code: 'USER_DEACTIVATED' })
})

test('drops an unread queue that falls far behind, but not one that is read', async () => {
  await using w = await world()
  const { hamlet, cordelia, iago } = w.people
  const left = await queueOf(hamlet, { idle_queue_timeout: 'mobile' })
  const read = await queueOf(cordelia)
  for (let i = 0; i < 101; i++) {
    await iago.write(async (tx) => {
      for (let j = 0; j < 100; j++) await emit(tx, { type: 'alert_words', alert_words: [] }, { users: [] })
    })
  }
  // When another process last read it is known a while later. The clock starts sweeps of its own, so it never passes the time
  // after which a queue counts as unread before this one is read.
  w.clock.advance(120_000)
  await getEvents(cordelia, { queue_id: read.queue_id, last_event_id: -1, dont_block: true })
  w.clock.advance(120_000)
  await sweep(w.chat)
  await assert.rejects(getEvents(hamlet, { queue_id: left.queue_id, dont_block: true }), { code: 'BAD_EVENT_QUEUE_ID' })
  const { events } = await getEvents(cordelia, { queue_id: read.queue_id, last_event_id: -1, dont_block: true })
  assert.deepEqual(events, [])
})

test("a guest can't listen to all public streams", async () => {
  await using w = await world()
  await assert.rejects(register(w.people.polonius, { all_public_streams: true }), {
    code: 'BAD_REQUEST',
    message: 'User not authorized for this query',
  })
})

test('all_public_streams delivers messages from unsubscribed streams', async () => {
  await using w = await world({
    streams: { tower: { members: ['iago'] }, crypt: { private: true, members: ['iago'] } },
  })
  const { hamlet, iago } = w.people
  const { queue_id, last_event_id } = await queueOf(hamlet, { all_public_streams: true, event_types: ['message'] })
  await iago.says('hidden', { stream: 'crypt' })
  const waiting = getEvents(hamlet, { queue_id, last_event_id })
  await untilWaiting(w)
  await iago.says('open', { stream: 'tower' })
  assert.deepEqual(
    ofType((await waiting).events, 'message').map((event) => event.message.content),
    ['open'],
  )
})

test('delivers messages from before the user was removed, and none from after', async () => {
  await using w = await world({ streams: { crypt: { private: true, members: ['iago', 'hamlet'] } } })
  const { hamlet, iago } = w.people
  const { queue_id, last_event_id } = await queueOf(hamlet, { event_types: ['message'] })
  await iago.says('before', { stream: 'crypt' })
  await w.people.iago.api.delete('/users/me/subscriptions', { subscriptions: ['crypt'], principals: [hamlet.id] })
  await iago.says('after', { stream: 'crypt' })
  const { events } = await getEvents(hamlet, { queue_id, last_event_id, dont_block: true })
  assert.deepEqual(
    ofType(events, 'message').map((event) => event.message.content),
    ['before'],
  )
})

test('shows events from before a role change as the earlier role saw them', async () => {
  await using w = await world({ streams: { tower: {}, attic: {} } })
  const { iago, hamlet, polonius } = w.people
  const options = { event_types: ['stream', 'realm_user'], fetch_event_types: [] }
  const queues = new Map<Person, Record<string, unknown>>()
  for (const person of [hamlet, polonius]) queues.set(person, await person.api.post('/register', options))
  const received = async (person: Person) => {
    const { queue_id, last_event_id } = queues.get(person)!
    const { events } = await person.api.get('/events', { queue_id, last_event_id, dont_block: true })
    // The notice in an archived stream is its first message, which changes the stream.
    const changes = events.filter((event: ChatEvent) => event.type !== 'stream' || event.op !== 'update')
    return changes.map((event: ChatEvent) => {
      assert.ok(!('role_before' in event))
      if (event.type === 'stream') return `${event.op} ${event.op === 'delete' ? event.stream_ids : ''}`
      return event.type === 'realm_user' && 'role' in event.person && `role ${event.person.role}`
    })
  }
  const [tower, attic] = await Promise.all(['tower', 'attic'].map((name) => w.streamId(name)))
  await iago.api.delete(`/streams/${tower}`)
  await iago.api.patch(`/users/${hamlet.id}`, { role: 600 })
  await iago.api.patch(`/users/${polonius.id}`, { role: 400 })
  await iago.api.delete(`/streams/${attic}`)
  assert.deepEqual(await received(hamlet), [`delete ${tower}`, 'role 600', `delete ${attic}`, 'role 400'])
  assert.deepEqual(await received(polonius), ['role 600', 'role 400', 'create ', `delete ${attic}`])
})

test('waiting for events leaves nothing behind', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { queue_id, last_event_id } = await queueOf(hamlet)
  let last = last_event_id
  for (let i = 0; i < 50; i++) {
    const waiting = getEvents(hamlet, { queue_id, last_event_id: last })
    await untilWaiting(w)
    await iago.says(`message ${i}`)
    last = (await waiting).events.at(-1)!.id
  }
  assert.equal(busOf(w.chat).waiting(), 0)
  assert.equal(queuesInUse(w.chat).get(queue_id)!.poll, undefined)
})

test('limits an account to 100 queues and frees a place when one ends', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const register = () => hamlet.api.post('/register', { event_types: ['message'] })
  const queues = []
  for (let n = 0; n < 100; n++) queues.push((await register()).queue_id)
  assert.equal((await register()).msg, 'Too many event queues; at most 100 per user')
  assert.equal((await iago.api.post('/register', { event_types: ['message'] })).result, 'success')
  await hamlet.api.delete('/events', { queue_id: queues[0] })
  assert.equal((await register()).result, 'success')
})
