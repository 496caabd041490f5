import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { getEvents } from '../../src/core/events/queues/poll.ts'
import { register } from '../../src/core/events/queues/register.ts'
import { getRealmPresence } from '../../src/core/users/presence.ts'
import { actAs, openChat } from '../../src/index.ts'
import { type Person, world } from '../../src/testing/world.ts'
import { addCrowd } from '../crowd.ts'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

test('returns presence in both formats', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const now = w.clock.now() / 1000
  assert.deepEqual(
    (await iago.api.post('/users/me/presence', { status: 'active', ping_only: true })).presences,
    undefined,
  )
  const slim = await hamlet.api.post('/users/me/presence', { status: 'idle', slim_presence: true })
  assert.deepEqual(slim.presences, {
    [iago.id]: { active_timestamp: now, idle_timestamp: now },
    [hamlet.id]: { active_timestamp: 0, idle_timestamp: now },
  })
  const legacy = await hamlet.api.post('/users/me/presence', { status: 'idle' })
  assert.deepEqual(legacy.presences[iago.email].website, {
    client: 'website',
    status: 'active',
    timestamp: now,
    pushable: false,
  })
  assert.deepEqual((await hamlet.api.get('/realm/presence')).presences, legacy.presences)
})

test('returns only newer presence for last_update_id', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { presence_last_update_id } = await hamlet.api.post('/users/me/presence', {
    status: 'active',
    last_update_id: -1,
  })
  await iago.api.post('/users/me/presence', { status: 'active', ping_only: true })
  const { presences } = await w.people.cordelia.api.post('/users/me/presence', {
    status: 'active',
    last_update_id: presence_last_update_id,
  })
  assert.deepEqual(Object.keys(presences), [String(iago.id), String(w.people.cordelia.id)])
})

test("a user's presence by id and email goes offline with time", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await iago.api.post('/users/me/presence', { status: 'active' })
  const byId = await hamlet.api.get(`/users/${iago.id}/presence`)
  assert.equal(byId.presence.aggregated.status, 'active')
  assert.deepEqual(await hamlet.api.get(`/users/${iago.email}/presence`), byId)
  w.clock.advance(150_000)
  assert.equal((await hamlet.api.get(`/users/${iago.id}/presence`)).presence.aggregated.status, 'offline')
})

test('pushes only users coming online immediately', async () => {
  await using w = await world()
  const { iago } = w.people
  await w.events()
  const types = async () => (await w.events()).map((event) => event.type)
  await iago.api.post('/users/me/presence', { status: 'active' })
  assert.deepEqual(await types(), ['presence'])
  w.clock.advance(60_000)
  await iago.api.post('/users/me/presence', { status: 'active' })
  assert.deepEqual(await types(), [])
  w.clock.advance(141_000)
  await iago.api.post('/users/me/presence', { status: 'active' })
  assert.deepEqual(await types(), ['presence'])
})

test('writes the reports of a large organization each second, without events', async () => {
  await using w = await world()
  const { hamlet, iago, cordelia } = w.people
  await addCrowd(hamlet, 100)
  const { queue_id } = await register(cordelia, { event_types: ['presence'], fetch_event_types: [] })
  const present = async () => Object.keys((await cordelia.api.get('/realm/presence')).presences)
  await hamlet.api.post('/users/me/presence', { status: 'active' })
  await hamlet.api.post('/users/me/presence', { status: 'idle' })
  await iago.api.post('/users/me/presence', { status: 'idle' })
  assert.deepEqual(await present(), [])
  w.clock.advance(1000)
  await eventually('both are written', async () => (await present()).length === 2)
  const { presence } = await cordelia.api.get(`/users/${hamlet.id}/presence`)
  assert.equal(presence.website.status, 'active')
  w.clock.advance(1000)
  await hamlet.api.post('/users/me/presence', { status: 'idle' })
  await iago.api.post('/users/me/presence', { status: 'active' })
  await iago.api.patch('/settings', { presence_enabled: false })
  w.clock.advance(1000)
  const active = async (person: Person) =>
    (await cordelia.api.get(`/users/${person.id}/presence`)).presence.website.timestamp
  const now = w.clock.now() / 1000
  await eventually('the second is written', async () => (await active(hamlet)) > now - 4)
  assert.ok((await active(iago)) < now - 100)
  const { events } = await getEvents(cordelia, { queue_id, dont_block: true })
  // Only that presence was turned off.
  assert.deepEqual(
    events.map((event) => event.type === 'presence' && event.user_id),
    [iago.id],
  )
})

test('keeps the reports of a large organization when it closes', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  {
    await using w = await world({ chat: { db } })
    await addCrowd(w.people.hamlet, 100)
    await w.people.iago.api.post('/users/me/presence', { status: 'active' })
  }
  await using chat = await openChat({ db })
  const { presences } = await getRealmPresence(await actAs(chat, { email: 'hamlet@example.com' }))
  assert.deepEqual(Object.keys(presences), ['iago@example.com'])
})

test('hides users who turned presence off', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await iago.api.patch('/settings', { presence_enabled: false })
  const { presences } = await iago.api.post('/users/me/presence', { status: 'active' })
  assert.deepEqual(presences, {})
  assert.equal((await hamlet.api.get(`/users/${iago.id}/presence`)).msg, 'No presence data for iago@example.com')
})

test('rejects invalid requests', async () => {
  await using w = await world({ people: { bob: { bot: true } } })
  const { api } = w.people.hamlet
  const refused = async (answer: Promise<{ status: number; msg: string }>, msg: string) =>
    assert.deepEqual([(await answer).status, (await answer).msg], [400, msg])
  await refused(api.post('/users/me/presence', { status: 'asleep' }), 'Invalid presence status: asleep')
  await refused(api.get('/users/999/presence'), 'No such user')
  await refused(api.get(`/users/${w.person('bob').id}/presence`), 'Presence is not supported for bot users.')
})
