import assert from 'node:assert/strict'
import test from 'node:test'
import { register } from '../../src/core/events/queues/register.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'

const typesAndOps = (events: { type: string; op?: string }[]) =>
  events.map(({ type, op }) => (op ? `${type}/${op}` : type))

test('people who act on a message of a public channel without a subscription receive the events of it', async () => {
  await using w = await world({ streams: { kitchen: { members: ['hamlet'] } } })
  const { iago, hamlet, cordelia } = w.people
  const types = ['reaction', 'submessage', 'delete_message']
  const { id } = await hamlet.says('/poll Soup?\nyes\nno', { stream: 'kitchen', topic: 'lunch' })
  const events = new Map<Person, () => Promise<{ type: string; op?: string }[]>>()
  for (const person of [hamlet, cordelia, iago]) events.set(person, await listen(person, types))
  await iago.api.delete('/users/me/subscriptions', { subscriptions: ['kitchen'] })

  const tada = { emoji_name: 'tada' }
  assert.equal((await cordelia.api.post(`/messages/${id}/reactions`, tada)).status, 200)
  assert.equal((await cordelia.api.delete(`/messages/${id}/reactions`, tada)).status, 200)
  const vote = { message_id: id, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' }
  assert.equal((await cordelia.api.post('/submessage', vote)).status, 200)
  const acted = ['reaction/add', 'reaction/remove', 'submessage']
  assert.deepEqual(typesAndOps(await events.get(hamlet)!()), acted)
  assert.deepEqual(typesAndOps(await events.get(cordelia)!()), acted)
  assert.deepEqual(await events.get(iago)!(), [])

  const deletion = {
    type: 'delete_message',
    message_type: 'stream',
    stream_id: await w.streamId('kitchen'),
    topic: 'lunch',
  }
  assert.equal((await iago.api.delete(`/messages/${id}`)).status, 200)
  for (const person of [hamlet, iago]) {
    assert.deepEqual(await events.get(person)!(), [{ ...deletion, message_ids: [id] }])
  }
  const ids = [
    await hamlet.says('1', { stream: 'kitchen', topic: 'lunch' }),
    await hamlet.says('2', { stream: 'kitchen', topic: 'lunch' }),
  ].map((message) => message.id)
  const topic = { topic_name: 'lunch' }
  assert.equal((await iago.api.post(`/streams/${deletion.stream_id}/delete_topic`, topic)).complete, true)
  for (const person of [hamlet, iago]) {
    assert.deepEqual(await events.get(person)!(), [{ ...deletion, message_ids: ids }])
  }
  assert.deepEqual(await events.get(cordelia)!(), [])
})

test('a person who moves messages between public channels without subscriptions receives the events', async () => {
  await using w = await world({ streams: { kitchen: { members: ['hamlet'] }, garden: { members: ['hamlet'] } } })
  const { iago, hamlet, cordelia } = w.people
  await iago.api.delete('/users/me/subscriptions', { subscriptions: ['kitchen', 'garden'] })
  const { id } = await hamlet.says('soup', { stream: 'kitchen', topic: 'lunch' })
  const events = await listen(iago, ['update_message', 'delete_message'])
  const others = await listen(cordelia, ['update_message', 'delete_message'])
  for (const change of [{ topic: 'dinner' }, { stream_id: await w.streamId('garden') }]) {
    assert.equal((await iago.api.patch(`/messages/${id}`, change)).status, 200)
    assert.deepEqual(
      (await events()).map(({ type, message_ids }) => [type, message_ids]),
      [['update_message', [id]]],
    )
  }
  assert.deepEqual(await others(), [])
})

test('a move inside of a channel with protected history names only messages that the reader can see', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const vault = { subscriptions: [{ name: 'vault' }], invite_only: true, history_public_to_subscribers: false }
  await hamlet.api.post('/users/me/subscriptions', vault)
  const place = { stream: 'vault', topic: 'trip' }
  const before = await hamlet.says('before', place)
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: vault.subscriptions, principals: [cordelia.id] })
  const after = await hamlet.says('after', place)
  const all = await listen(hamlet, ['update_message'])
  const some = await listen(cordelia, ['update_message'])
  const move = { topic: 'journey', propagate_mode: 'change_all' }
  assert.equal((await hamlet.api.patch(`/messages/${before.id}`, move)).status, 200)
  const namedBy = async (events: typeof all) =>
    (await events()).flatMap(({ message_id, message_ids }) => [message_id, ...message_ids])
  assert.deepEqual(new Set(await namedBy(all)), new Set([before.id, after.id]))
  assert.deepEqual(new Set(await namedBy(some)), new Set([after.id]))
})

test('a new account is announced with its profile data, and a bot without', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const events = await listen(hamlet, ['realm_user'])
  await iago.api.post('/users', { email: 'new@example.com', password: 'a long and new one', full_name: 'New' })
  await iago.api.post('/bots', { full_name: 'Builds', short_name: 'builds' })
  const added = (await events()).map(({ person }) => [person.is_bot, person.profile_data])
  assert.deepEqual(added, [
    [false, {}],
    [true, undefined],
  ])
})

test('whether messages can be edited, and for how long, is announced in one update_dict', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const events = await listen(hamlet, ['realm'])
  const update = (data: object) => ({ type: 'realm', op: 'update_dict', property: 'default', data })
  await iago.api.patch('/realm', { message_content_edit_limit_seconds: 700 })
  assert.deepEqual(await events(), [update({ message_content_edit_limit_seconds: 700 })])
  await iago.api.patch('/realm', { allow_message_editing: false })
  const [{ data }] = await events()
  assert.equal(data.allow_message_editing, false)
  await iago.api.patch('/realm', { allow_message_editing: true, message_content_edit_limit_seconds: 60 })
  const [both, ...more] = await events()
  assert.deepEqual(more, [])
  assert.deepEqual([both.data.allow_message_editing, both.data.message_content_edit_limit_seconds], [true, 60])
  await iago.api.patch('/realm', { message_content_delete_limit_seconds: 60 })
  assert.deepEqual(
    (await events()).map(({ op, property }: { op: string; property: string }) => [op, property]),
    [['update', 'message_content_delete_limit_seconds']],
  )
})

test('include_subscribers takes its three values bare and as JSON texts', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  for (const [value, isIncluded] of [
    ['true', true],
    ['"true"', true],
    ['false', false],
    ['"false"', false],
    ['partial', true],
    ['"partial"', true],
  ] as const) {
    const asked = { include_subscribers: value }
    const { subscriptions } = await api.get('/users/me/subscriptions', asked)
    const state = await api.post('/register', { ...asked, fetch_event_types: ['subscription'] })
    for (const [one] of [subscriptions, state.subscriptions]) assert.equal('subscribers' in one, isIncluded, value)
  }
  const { status, msg } = await api.get('/users/me/subscriptions', { include_subscribers: '"some"' })
  assert.deepEqual([status, msg], [400, 'include_subscribers must be true, false or "partial"'])
})

test('a response with events ends after about a megabyte, and the next one continues', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { queue_id } = await register(hamlet, { event_types: ['message'], fetch_event_types: [] })
  const ids: number[] = []
  for (let i = 0; i < 130; i++) ids.push((await iago.says('long '.repeat(1999))).id)
  const received: number[] = []
  let last_event_id = -1
  const sizes: number[] = []
  while (received.length < ids.length) {
    const answer = await hamlet.api.get('/events', { queue_id, last_event_id, dont_block: true })
    sizes.push(JSON.stringify(answer).length)
    received.push(...answer.events.map((event: { message: { id: number } }) => event.message.id))
    last_event_id = answer.events.at(-1).id
  }
  assert.deepEqual(received, ids)
  assert.equal(sizes.length, 2)
  assert.ok(Math.max(...sizes) < 1.1 * 1024 * 1024, `${sizes}`)
})
