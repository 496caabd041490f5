import assert from 'node:assert/strict'
import { test } from 'node:test'
import { live } from '../../src/client/live/live.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { assertSameState } from '../../src/testing/compare-state.ts'
import { world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'
import { changed, lineTo, until } from './line.ts'

const fast = () => ({ timers: manualClock(), random: () => 0 })

test('a live state that applied every event equals a new registration', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { client } = lineTo(w, hamlet)
  const session = live(client, fast())
  await session.ready()
  await iago.says('hello @**hamlet**')
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'verona' }], principals: [hamlet.id] })
  await hamlet.api.post('/users/me/status', { status_text: 'out' })
  await until(session, () => session.state!.user_status[hamlet.id] !== undefined)
  const second = live(lineTo(w, hamlet).client, fast())
  assertSameState(session.state!, await second.ready())
  await second.stop()
  assert.equal(session.connection.status, 'online')
  await session.stop()
})

test('misses and duplicates nothing after a lost connection', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const timers = manualClock()
  const line = lineTo(w, hamlet)
  const session = live(line.client, { timers, random: () => 0 })
  await session.ready()
  const received: number[] = []
  session.onChange((change) => {
    if (change.type === 'event' && change.event.type === 'message') received.push(change.event.message.id)
  })
  const offline = changed(session, (change) => change.type === 'connection' && change.connection.status === 'offline')
  line.losing = '/events'
  const { id: first } = await iago.says('one')
  await offline
  const { id: second } = await iago.says('two')
  assert.deepEqual(received, [])
  line.losing = undefined
  const both = changed(session, () => received.length === 2)
  session.retry()
  await both
  assert.deepEqual(received, [first, second])
  await session.stop()
})

test('caughtUp resolves only after a poll that began later, even when one fails', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const line = lineTo(w, hamlet)
  const session = live(line.client, fast())
  await session.ready()
  await until(session, () => session.connection.status === 'online')
  await hamlet.api.patch('/settings', { color_scheme: 2 })
  await hamlet.api.patch('/settings', { color_scheme: 1 })
  let theme: number | undefined
  const isCaughtUp = session.caughtUp().then(() => {
    theme = session.state!.user_settings.color_scheme
  })
  const isOffline = changed(session, () => session.connection.status === 'offline')
  line.losing = '/events'
  await hamlet.api.patch('/settings', { color_scheme: 3 })
  await isOffline
  assert.equal(theme, undefined)
  line.losing = undefined
  session.retry()
  await isCaughtUp
  assert.equal(theme, 3)

  // A new state has everything, too.
  await line.client.deleteQueue({ queue_id: session.state!.queue_id })
  await session.caughtUp()
  await session.stop()
})

test('waits grow with each failure and resolve on their own', async () => {
  await using w = await world()
  const timers = manualClock()
  const line = lineTo(w, w.people.hamlet)
  line.cut = true
  const session = live(line.client, { timers, random: () => 0 })
  const waits: number[] = []
  while (waits.length < 8) {
    await until(session, () => session.connection.status === 'offline' && session.connection.retryAt > timers.now())
    const { connection } = session
    assert.equal(connection.status, 'offline')
    waits.push(connection.status === 'offline' ? connection.retryAt - timers.now() : 0)
    timers.advance(waits.at(-1)!)
  }
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 15000, 15000])
  line.cut = false
  timers.advance(60_000)
  await session.ready()
  await session.stop()
})

test('registers again when its queue is gone and passes on the previous state', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { client } = lineTo(w, hamlet)
  const session = live(client, fast())
  const before = await session.ready()
  await client.deleteQueue({ queue_id: before.queue_id })
  const again = changed(session, ({ type }) => type === 'registered')
  await iago.says('meanwhile')
  const change = await again
  assert.ok(change.type === 'registered')
  assert.equal(change.previous, before)
  assert.notEqual(change.state.queue_id, before.queue_id)
  await session.stop()
})

test('replaces a queue that ended while offline without waiting again', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const line = lineTo(w, hamlet)
  const session = live(line.client, fast())
  const { queue_id } = await session.ready()
  const offline = changed(session, (change) => change.type === 'connection' && change.connection.status === 'offline')
  line.cut = true
  await iago.says('one')
  await offline
  await hamlet.api.delete('/events', { queue_id })
  line.cut = false
  // The clock stands still: a wait would have no end.
  session.retry()
  await eventually('a new queue', () => session.state!.queue_id !== queue_id)
  await session.stop()
})

test('stops when the server rejects it permanently', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { client } = lineTo(w, hamlet)
  const session = live(client, fast())
  await session.ready()
  const ended = changed(session, (change) => change.type === 'connection' && change.connection.status === 'ended')
  await iago.api.delete(`/users/${hamlet.id}`)
  await ended
  assert.ok(session.connection.status === 'ended' && session.connection.error)
  const refused = live(client, fast())
  await assert.rejects(refused.ready(), { name: 'ChatError' })
})

test('abandons a connection that only seems open after sleep', async () => {
  await using w = await world()
  const timers = manualClock()
  const line = lineTo(w, w.people.hamlet)
  const session = live(line.client, { timers, random: () => 0 })
  await session.ready()
  await until(session, () => session.connection.status === 'online')
  const polls = () => line.requests.filter((request) => request === 'GET /events').length
  assert.equal(polls(), 1)
  // A sleeping machine fires its timers late: all together when it wakes.
  const { now } = timers
  timers.now = () => now() + 3_600_000
  timers.advance(5_000)
  await eventually('a second poll', () => polls() === 2)
  assert.equal(session.connection.status, 'online')
  await session.stop()
})

test('gives up on a poll that is never answered', async () => {
  await using w = await world()
  const timers = manualClock()
  const { client } = lineTo(w, w.people.hamlet)
  const session = live(client, { timers, random: () => 0 })
  await session.ready()
  await until(session, () => session.connection.status === 'online')
  const offline = changed(session, (change) => change.type === 'connection' && change.connection.status === 'offline')
  timers.advance(90_000)
  await offline
  await session.stop()
})

test('stop deletes the queue and sends no further requests', async () => {
  await using w = await world()
  const line = lineTo(w, w.people.hamlet)
  const session = live(line.client, fast())
  const { queue_id } = await session.ready()
  await session.stop()
  const asked = line.requests.length
  await assert.rejects(line.client.getEvents({ queue_id, dont_block: true }), { code: 'BAD_EVENT_QUEUE_ID' })
  await w.people.iago.says('hello')
  assert.equal(line.requests.length, asked + 1)
})

test("shows a cached state while offline and replaces it with the server's", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const line = lineTo(w, hamlet)
  const before = live(line.client, fast())
  const kept = structuredClone(await before.ready())
  await before.stop()
  line.cut = true
  const timers = manualClock()
  const session = live(line.client, { timers, random: () => 0 })
  session.restore(kept)
  assert.equal((await session.ready()).user_id, hamlet.id)
  assert.notEqual(session.connection.status, 'online')
  const { id } = await iago.says('meanwhile')
  line.cut = false
  const registered = changed(session, (change) => change.type === 'registered')
  session.retry()
  const change = await registered
  assert.equal(change.type === 'registered' && change.previous, kept)
  assert.equal(session.state!.max_message_id, id)
  // There is a state: another is not taken.
  session.restore(kept)
  assert.equal(session.state!.max_message_id, id)
  await session.stop()
})

test('can fetch people later without losing events about them', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const line = lineTo(w, hamlet)
  const session = live(line.client, { ...fast(), peopleLater: true })
  const first = await session.ready()
  assert.deepEqual(first.realm_users, [])
  assert.equal(first.full_name, hamlet.user.full_name)
  await until(session, () => session.connection.status === 'online')
  // Before they are fetched, and after.
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: 'Prince Hamlet' })
  const fetched = changed(session, ({ type }) => type === 'people')
  session.fetchPeople()
  session.fetchPeople()
  await fetched
  await hamlet.api.post('/users/me/status', { status_text: 'out' })
  await until(session, () => session.state!.user_status[hamlet.id] !== undefined)
  const whole = live(lineTo(w, hamlet).client, fast())
  assertSameState(session.state!, await whole.ready())
  await whole.stop()
  // The queue that came with them is gone.
  assert.equal(line.requests.filter((request) => request === 'DELETE /events').length, 1)
  const before = session.state!
  await line.client.deleteQueue({ queue_id: before.queue_id })
  const again = changed(session, ({ type }) => type === 'registered')
  const known = changed(session, ({ type }) => type === 'people')
  await iago.says('hello')
  const change = await again
  assert.ok(change.type === 'registered')
  assert.deepEqual(change.state.realm_users, before.realm_users)
  await known
  await session.stop()
})
