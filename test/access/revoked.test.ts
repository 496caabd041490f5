import assert from 'node:assert/strict'
import test from 'node:test'
import { setRole } from '../../src/core/accounts/change-role.ts'
import { roles, subscribeToEvents } from '../../src/index.ts'
import { type Person, world } from '../../src/testing/index.ts'

// Attack tests: rights that were revoked. What a queue still delivers is decided in docs/events.md.

type Said = { message: { content: string } }
const contents = async ({ api }: Person, queue_id: string): Promise<string[]> => {
  const { events } = await api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  return events
    .filter((event: { type: string }) => event.type === 'message')
    .map((event: Said) => event.message.content)
}

test('a member demoted to guest no longer gets all public streams through an existing queue', async () => {
  await using w = await world({ streams: { verona: { members: ['iago'] } } })
  const { iago, cordelia } = w.people
  const all = { event_types: ['message'], all_public_streams: true }
  const { queue_id } = await cordelia.api.post('/register', all)
  await iago.says('before', { stream: 'verona', topic: 'x' })
  await iago.write((tx) => setRole(tx, cordelia.id, roles.guest))
  await iago.says('after', { stream: 'verona', topic: 'x' })
  await iago.says('where they are', { topic: 'x' })
  assert.deepEqual(await contents(cordelia, queue_id), ['before', 'where they are'])
  assert.equal((await cordelia.api.post('/register', all)).status, 400)
  await iago.write((tx) => setRole(tx, cordelia.id, roles.member))
  await iago.says('member again', { stream: 'verona', topic: 'x' })
  assert.deepEqual(await contents(cordelia, queue_id), ['before', 'where they are', 'member again'])
})

test('a waiting all_public_streams poll ignores events its owner may no longer get', async () => {
  await using w = await world({ streams: { verona: { members: ['iago'] } } })
  const { iago, cordelia } = w.people
  const { queue_id } = await cordelia.api.post('/register', { event_types: ['message'], all_public_streams: true })
  const polling = cordelia.api.get('/events', { queue_id, last_event_id: -1 })
  await iago.write((tx) => setRole(tx, cordelia.id, roles.guest))
  await iago.says('after', { stream: 'verona', topic: 'x' })
  await iago.says('for all', { topic: 'x' })
  const { events } = await polling
  assert.deepEqual(
    events.map((event: Said) => event.message.content),
    ['for all'],
  )
})

test("an in-process guest can't request all public streams", async () => {
  await using w = await world({ streams: { verona: { members: ['iago'] }, den: { members: ['iago', 'polonius'] } } })
  const { iago, polonius } = w.people
  const events = subscribeToEvents(polonius, { types: ['message'], all_public_streams: true })[Symbol.asyncIterator]()
  const first = events.next()
  await iago.says('not for guests', { stream: 'verona', topic: 'x' })
  await iago.says('theirs', { stream: 'den', topic: 'x' })
  assert.match((await first).value.message.content, /theirs/)
  await events.return?.()
})

test('a user who leaves a private stream still gets earlier messages but no later ones', async () => {
  await using w = await world({ streams: { den: { private: true, sharedHistory: true, members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const { queue_id } = await hamlet.api.post('/register', { event_types: ['message', 'update_message', 'reaction'] })
  const { id } = await iago.says('before', { stream: 'den', topic: 'x' })
  await hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['den'] })
  await iago.says('after', { stream: 'den', topic: 'x' })
  await iago.api.patch(`/messages/${id}`, { content: 'a secret' })
  const { events } = await hamlet.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  assert.equal(events.length, 1)
  assert.match(events[0].message.content, /before/)
  assert.equal((await hamlet.api.get(`/messages/${id}`)).msg, 'Invalid message(s)')
})

test("ignores a local id sent with another user's queue", async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { queue_id } = await cordelia.api.post('/register', { event_types: ['message'] })
  const message = { type: 'stream', to: 'general', topic: 'x', content: 'x', queue_id, local_id: '7.1' }
  assert.equal((await hamlet.api.post('/messages', message)).status, 200)
  const { events } = await cordelia.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  assert.deepEqual([events.length, 'local_id' in events[0], 'local_message_id' in events[0]], [1, false, false])
})
