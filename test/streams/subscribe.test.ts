import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, world } from '../../src/testing/index.ts'

const subscribeTo = (person: Person, name: string, more: object = {}) =>
  person.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...more })

const namesOf = async (person: Person): Promise<string[]> => {
  const { subscriptions } = await person.api.get('/users/me/subscriptions')
  return subscriptions.map((stream: { name: string }) => stream.name)
}

test('subscribing to a new name creates a stream with its creator as subscriber', async () => {
  await using w = await world()
  const { hamlet } = w.people
  assert.deepEqual(await subscribeTo(hamlet, 'Verona'), {
    status: 200,
    result: 'success',
    msg: '',
    subscribed: { [hamlet.id]: ['Verona'] },
    already_subscribed: {},
    new_subscription_messages_sent: true,
  })
  assert.deepEqual(await namesOf(hamlet), ['general', 'Verona'])
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'VERONA' })
  assert.equal(stream_id, await w.streamId('Verona'))
  const { stream } = await hamlet.api.get(`/streams/${stream_id}`)
  assert.deepEqual([stream.name, stream.creator_id, stream.invite_only], ['Verona', hamlet.id, false])
})

test('names differing only in case mean the same stream', async () => {
  await using w = await world({ streams: { Ünder: { members: ['iago'] } } })
  const answer = await subscribeTo(w.people.hamlet, 'üNDER')
  assert.deepEqual(answer.subscribed, { [w.people.hamlet.id]: ['Ünder'] })
})

test('a repeated subscription changes nothing and says so', async () => {
  await using w = await world({ streams: { verona: { members: ['hamlet'] } } })
  await w.events()
  const answer = await subscribeTo(w.people.hamlet, 'verona')
  assert.deepEqual(answer.already_subscribed, { [w.people.hamlet.id]: ['verona'] })
  assert.deepEqual(await w.events(), [])
})

test('subscribes others by id or email', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  await subscribeTo(iago, 'verona', { principals: [hamlet.id] })
  await subscribeTo(iago, 'verona', { principals: [cordelia.email] })
  const { subscriptions } = await hamlet.api.get('/users/me/subscriptions', { include_subscribers: true })
  const verona = subscriptions.find((stream: { name: string }) => stream.name === 'verona')
  assert.deepEqual(verona.subscribers, [hamlet.id, cordelia.id])
})

const refusals: { name: string; who: string; stream: string; more?: object; code: string; msg: string }[] = [
  {
    name: 'a private stream of others',
    who: 'hamlet',
    stream: 'secret',
    code: 'BAD_REQUEST',
    msg: 'Unable to access stream (secret).',
  },
  {
    name: 'a public stream, for a guest',
    who: 'polonius',
    stream: 'general',
    code: 'BAD_REQUEST',
    msg: 'Insufficient permission',
  },
  {
    name: 'a new stream, for a guest',
    who: 'polonius',
    stream: 'new',
    code: 'BAD_REQUEST',
    msg: 'Insufficient permission',
  },
  {
    name: 'an empty name',
    who: 'iago',
    stream: ' ',
    code: 'BAD_REQUEST',
    msg: "Stream name can't be empty.",
  },
  {
    name: 'a name that is too long',
    who: 'iago',
    stream: 'x'.repeat(61),
    code: 'BAD_REQUEST',
    msg: 'Stream name too long (limit: 60 characters).',
  },
  {
    name: 'a private default stream',
    who: 'iago',
    stream: 'new',
    more: { invite_only: true, is_default_stream: true },
    code: 'BAD_REQUEST',
    msg: 'Private streams cannot be made default.',
  },
]

for (const { name, who, stream, more, code, msg } of refusals) {
  test(`rejects: ${name}`, async () => {
    await using w = await world({ streams: { secret: { private: true } } })
    await w.events()
    assert.deepEqual(await subscribeTo(w.person(who), stream, more), { status: 400, result: 'error', code, msg })
    assert.deepEqual(await w.events(), [], 'nothing happened')
  })
}

test("reports unauthorized streams and subscribes to the rest when errors aren't fatal", async () => {
  await using w = await world({ streams: { secret: { private: true } } })
  const answer = await w.people.hamlet.api.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'secret' }, { name: 'open' }],
    authorization_errors_fatal: false,
  })
  assert.deepEqual(answer.unauthorized, ['secret'])
  assert.deepEqual(answer.subscribed, { [w.people.hamlet.id]: ['open'] })
})

test('unsubscribing stops messages, and resubscribing keeps the color', async () => {
  await using w = await world({ streams: { verona: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const before = await hamlet.api.get('/users/me/subscriptions')
  const left = await hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['verona'] })
  assert.deepEqual([left.removed, left.not_removed], [['verona'], []])
  assert.deepEqual(await namesOf(hamlet), ['general'])
  const again = await hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['verona'] })
  assert.deepEqual([again.removed, again.not_removed], [[], ['verona']])
  const { queue_id, last_event_id } = await hamlet.api.post('/register', { event_types: ['message'] })
  await iago.says('missed', { stream: 'verona' })
  await hamlet.joins('verona')
  await iago.says('received', { stream: 'verona' })
  const { events } = await hamlet.api.get('/events', { queue_id, last_event_id, dont_block: true })
  assert.deepEqual(
    events.map((event: { message: { content: string } }) => event.message.content),
    ['received'],
  )
  const after = await hamlet.api.get('/users/me/subscriptions')
  assert.deepEqual(
    after.subscriptions.map((stream: { color: string }) => stream.color),
    before.subscriptions.map((stream: { color: string }) => stream.color),
  )
})

test('only administrators can remove others', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const remove = { subscriptions: ['general'], principals: [cordelia.id] }
  const refused = await hamlet.api.delete('/users/me/subscriptions', remove)
  assert.deepEqual([refused.status, refused.code], [400, 'BAD_REQUEST'])
  assert.deepEqual((await iago.api.delete('/users/me/subscriptions', remove)).removed, ['general'])
})

test("can't unsubscribe from a nonexistent stream", async () => {
  await using w = await world()
  const answer = await w.people.hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['nowhere'] })
  const { code, msg, stream } = answer
  assert.deepEqual([code, msg, stream], ['STREAM_DOES_NOT_EXIST', "Stream 'nowhere' does not exist", 'nowhere'])
})

test('GET /streams shows guests their own streams, and administrators all on request', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['hamlet', 'polonius'] } } })
  const names = async (person: Person, params: object = {}) =>
    (await person.api.get('/streams', { ...params })).streams.map((stream: { name: string }) => stream.name)
  assert.deepEqual(await names(w.people.polonius), ['secret'])
  assert.deepEqual(await names(w.people.hamlet), ['general', 'secret'])
  assert.deepEqual(await names(w.people.cordelia), ['general'])
  assert.deepEqual(await names(w.people.iago), ['general'])
  assert.deepEqual(await names(w.people.iago, { include_all: true }), ['general', 'secret'])
})

test('subscribes to and leaves many streams in one request or none', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago'] } } })
  const { hamlet } = w.people
  const names = Array.from({ length: 60 }, (_, n) => `stream ${n}`)
  const subscribed = async () =>
    (await hamlet.api.get('/users/me/subscriptions')).subscriptions.map((stream: { name: string }) => stream.name)
  const before = await subscribed()
  const add = names.map((name) => ({ name }))
  const params = { add, delete: ['general', 'no such stream'] }
  assert.equal((await hamlet.api.patch('/users/me/subscriptions', params)).code, 'STREAM_DOES_NOT_EXIST')
  assert.deepEqual(await subscribed(), before)
  const changed = await hamlet.api.patch('/users/me/subscriptions', { add, delete: ['general'] })
  assert.equal(changed.subscribed[hamlet.id].length, 60)
  assert.deepEqual(changed.removed, ['general'])
  assert.deepEqual((await subscribed()).sort(), [...names].sort())
})

test('only stream and organization administrators can remove others from a stream', async () => {
  await using w = await world()
  const { hamlet, cordelia, polonius } = w.people
  const principals = [hamlet.id, cordelia.id, polonius.id]
  assert.equal((await subscribeTo(hamlet, 'den', { invite_only: true, principals })).status, 200)
  const remove = (by: Person, who: Person) =>
    by.api.delete('/users/me/subscriptions', { subscriptions: ['den'], principals: [who.id] })
  assert.equal((await remove(cordelia, polonius)).msg, 'Insufficient permission')
  assert.deepEqual((await remove(hamlet, polonius)).removed, ['den'])
  assert.deepEqual(await namesOf(polonius), [])
})
