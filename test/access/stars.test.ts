import assert from 'node:assert/strict'
import test from 'node:test'
import { setRole } from '../../src/core/accounts/change-role.ts'
import { roles } from '../../src/index.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { follow } from '../../src/testing/verify-events.ts'

// Attack tests: stars on messages that are no longer visible.

const star = ({ api }: Person, id: number) =>
  api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
const starred = async ({ api }: Person): Promise<number[]> =>
  (await api.post('/register', { fetch_event_types: ['starred_messages'] })).starred_messages
const leave = ({ api }: Person, stream: string) => api.delete('/users/me/subscriptions', { subscriptions: [stream] })

test('omits stars in private streams the user has left and restores them on return', async () => {
  await using w = await world({ streams: { den: { private: true, sharedHistory: true, members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const { id } = await iago.says('a secret', { stream: 'den', topic: 'x' })
  const other = await iago.says('no secret')
  await star(hamlet, id)
  await star(hamlet, other.id)
  const client = await follow(() => hamlet)
  await leave(hamlet, 'den')
  assert.deepEqual(await starred(hamlet), [other.id])
  await client.verify('after leaving')
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals: [hamlet.id] })
  assert.deepEqual((await starred(hamlet)).sort(), [id, other.id].sort())
  await client.verify('after coming back')
})

test('sends no event for deleted starred messages in a private stream the user has left', async () => {
  await using w = await world({ streams: { den: { private: true, sharedHistory: true, members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const { id } = await iago.says('a secret', { stream: 'den', topic: 'x' })
  await star(hamlet, id)
  await leave(hamlet, 'den')
  const { queue_id } = await hamlet.api.post('/register')
  assert.equal((await iago.api.delete(`/messages/${id}`)).status, 200)
  const { events } = await hamlet.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  assert.deepEqual(events, [])
})

test('updates stars when a stream becomes private or a member becomes a guest', async () => {
  await using w = await world({ streams: { verona: { members: ['iago'] }, rome: { members: ['iago'] } } })
  const { iago, cordelia } = w.people
  const [a, b] = [
    (await iago.says('one', { stream: 'verona', topic: 'x' })).id,
    (await iago.says('two', { stream: 'rome', topic: 'x' })).id,
  ]
  for (const id of [a, b]) await star(cordelia, id)
  const client = await follow(() => cordelia)
  await iago.api.patch(`/streams/${await w.streamId('verona')}`, { is_private: true })
  assert.deepEqual(await starred(cordelia), [b])
  await client.verify('verona is private')
  await iago.write((tx) => setRole(tx, cordelia.id, roles.guest))
  assert.deepEqual(await starred(cordelia), [])
  await client.verify('a guest')
  await iago.api.patch(`/streams/${await w.streamId('verona')}`, { is_private: false })
  await iago.write((tx) => setRole(tx, cordelia.id, roles.member))
  assert.deepEqual(await starred(cordelia), [a, b])
  await client.verify('a member again')
})
