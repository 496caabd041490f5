import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { topicOf } from '../messages/notices/read.ts'

const scene = () =>
  world({
    streams: {
      hall: { members: ['iago', 'hamlet', 'polonius'], topics: { plot: ['open words'] } },
      attic: { private: true, members: ['hamlet'], topics: { plot: ['kept words'] } },
    },
  })

const archive = async (w: World, name: string) => w.iago.api.delete(`/streams/${await w.streamId(name)}`)

/** What somebody reads of a stream, in each way: by its name, by its id, one message, by the list of its topics. */
async function ways(w: World, who: Person, name: string, id: number) {
  const stream_id = await w.streamId(name)
  const window = { anchor: 'newest', num_before: 9, num_after: 0 }
  const narrowed = async (operand: unknown) => {
    const { messages = [] } = await who.api.get('/messages', { ...window, narrow: [['channel', operand]] })
    return messages.some((message: { id: number }) => message.id === id)
  }
  const { topics = [] } = await who.api.get(`/users/me/${stream_id}/topics`)
  return [
    await narrowed(name),
    await narrowed(stream_id),
    (await who.api.get(`/messages/${id}`)).status === 200,
    topics.some((topic: { name: string }) => topic.name === 'plot'),
  ]
}

test('only earlier readers can read an archived stream', async () => {
  await using w = await scene()
  const { iago, hamlet, cordelia, polonius } = w
  const id = async (who: Person, name: string) =>
    (await who.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['channel', name]] }))
      .messages[0].id
  const [open, kept] = [await id(hamlet, 'hall'), await id(hamlet, 'attic')]
  const seen = () =>
    Promise.all([
      ...[iago, hamlet, cordelia, polonius].map((who) => ways(w, who, 'hall', open)),
      ...[iago, hamlet, cordelia, polonius].map((who) => ways(w, who, 'attic', kept)),
    ])
  const before = await seen()
  assert.deepEqual(
    before.map((each) => each.every(Boolean)),
    [true, true, true, true, false, true, false, false],
  )
  for (const name of ['hall', 'attic']) assert.equal((await archive(w, name)).msg, '')
  assert.deepEqual(await seen(), before)
})

test('rejects messages to an archived stream and lists it only on request', async () => {
  await using w = await scene()
  await archive(w, 'hall')
  const stream_id = await w.streamId('hall')
  const { api } = w.hamlet
  for (const to of ['hall', stream_id]) {
    const answer = await api.post('/messages', { type: 'stream', to, topic: 'plot', content: 'more' })
    assert.equal(answer.code, 'STREAM_DOES_NOT_EXIST')
  }
  assert.equal((await api.post('/typing', { op: 'start', type: 'stream', stream_id, topic: 'x' })).code, 'BAD_REQUEST')
  const has = (list: { stream_id: number }[]) => list.some((stream) => stream.stream_id === stream_id)
  assert.equal(has((await api.get('/streams')).streams), false)
  assert.equal(has((await api.get('/streams', { exclude_archived: false })).streams), true)
  assert.equal(has((await api.get('/users/me/subscriptions')).subscriptions), false)
  const state = await api.post('/register')
  assert.equal(has([...state.streams, ...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed]), false)
  assert.deepEqual(state.unread_msgs.streams, [])
})

const knowing = { client_capabilities: { archived_channels: true } }

test('lists archived streams for clients that support them, and sends archive events', async () => {
  await using w = await scene()
  const { iago, hamlet, cordelia, polonius } = w
  await cordelia.joins('hall')
  await cordelia.api.delete('/users/me/subscriptions', { subscriptions: ['hall'] })
  const path = `/streams/${await w.streamId('hall')}`
  const people = [iago, hamlet, cordelia, polonius]
  for (const options of [knowing, { ...knowing, include_subscribers: true }, {}]) {
    await verifyEvents(people, () => archive(w, 'hall'), options)
    await verifyEvents(people, () => iago.api.patch(path, { is_archived: false }), options)
  }
  await archive(w, 'hall')
  const archived = async (list: 'streams' | 'subscriptions', options: Readonly<Record<string, unknown>>) =>
    (await hamlet.api.post('/register', options))[list].filter((one: { is_archived: boolean }) => one.is_archived)
      .length
  assert.deepEqual([await archived('streams', knowing), await archived('subscriptions', knowing)], [1, 1])
  assert.deepEqual([await archived('streams', {}), await archived('subscriptions', {})], [0, 0])
})

test('can change a subscription to an archived stream', async () => {
  await using w = await scene()
  const { hamlet, cordelia } = w
  await archive(w, 'hall')
  const stream_id = await w.streamId('hall')
  const change = (property: string, value: unknown) => ({ subscription_data: [{ stream_id, property, value }] })
  for (const options of [knowing, {}]) {
    await verifyEvents(
      [hamlet],
      async () => {
        const path = '/users/me/subscriptions/properties'
        assert.equal((await hamlet.api.post(path, change('pin_to_top', true))).msg, '')
        assert.equal((await hamlet.api.post(path, change('color', '#112233'))).msg, '')
        const other = await cordelia.api.post(path, change('color', '#112233'))
        assert.equal(other.msg, `Not subscribed to stream id ${stream_id}`)
      },
      options,
    )
  }
  const { subscriptions } = await hamlet.api.post('/register', knowing)
  const found = subscriptions.find((one: { stream_id: number }) => one.stream_id === stream_id)
  assert.deepEqual([found.pin_to_top, found.color], [true, '#112233'])
})

test('a guest who becomes a member sees archived streams until demoted again', async () => {
  await using w = await scene()
  const { iago, polonius } = w
  await archive(w, 'attic')
  await w.hamlet.joins('market')
  await archive(w, 'market')
  for (const options of [knowing, {}]) {
    const path = `/users/${polonius.id}`
    await verifyEvents([polonius], () => iago.api.patch(path, { role: 400 }), options)
    await verifyEvents([polonius], () => iago.api.patch(path, { role: 600 }), options)
  }
})

test('an unarchived stream keeps its subscribers and posts a notice', async () => {
  await using w = await scene()
  const { iago, hamlet, cordelia, polonius } = w
  const path = `/streams/${await w.streamId('attic')}`
  await archive(w, 'attic')
  assert.equal((await hamlet.api.patch(path, { is_archived: false })).code, 'CANNOT_ADMINISTER_CHANNEL')
  const people = [iago, hamlet, cordelia, polonius]
  await verifyEvents(people, () => iago.api.patch(path, { is_archived: false }), { include_subscribers: true })
  assert.deepEqual(await topicOf(hamlet, 'attic', 'channel events'), [
    'Channel #**attic** has been archived.',
    'Channel #**attic** un-archived.',
  ])
  assert.equal((await iago.api.patch(path, { is_archived: false })).msg, 'Stream is not archived')
  assert.equal(
    (await hamlet.api.post('/messages', { type: 'stream', to: 'attic', topic: 'x', content: 'y' })).status,
    200,
  )
})

test('a shared name means the active stream and blocks unarchiving the other', async () => {
  await using w = await scene()
  const path = `/streams/${await w.streamId('hall')}`
  await archive(w, 'hall')
  await w.hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'Hall' }] })
  await w.hamlet.says('new words', { stream: 'Hall', topic: 'plot' })
  assert.deepEqual(await topicOf(w.hamlet, 'hall', 'plot'), ['new words'])
  assert.equal((await w.iago.api.patch(path, { is_archived: false })).msg, 'Stream name already in use!')
  assert.match((await w.iago.api.patch(path, { is_archived: true })).msg, /Use DELETE/)
})

test('sends archive events in the form that the client supports', async () => {
  await using w = await scene()
  const { iago, hamlet } = w
  const stream_id = await w.streamId('hall')
  const received = async (client_capabilities: Readonly<Record<string, boolean>>) => {
    const event_types = ['stream', 'subscription']
    const { queue_id, last_event_id } = await hamlet.api.post('/register', { event_types, client_capabilities })
    await archive(w, 'hall')
    await iago.api.patch(`/streams/${stream_id}`, { is_archived: false })
    const { events } = await hamlet.api.get('/events', { queue_id, last_event_id, dont_block: true })
    return events.filter((event: { property?: string }) => event.property !== 'is_recently_active')
  }
  const change = { type: 'stream', op: 'update', property: 'is_archived', stream_id, name: 'hall' }
  assert.deepEqual(
    (await received({ archived_channels: true })).map(({ id: _, ...event }: { id: number }) => event),
    [
      { ...change, value: true },
      { ...change, value: false },
    ],
  )
  assert.deepEqual(
    (await received({})).map(({ type, op }: Record<string, string>) => `${type} ${op}`),
    ['stream delete', 'stream create', 'subscription add'],
  )
})
