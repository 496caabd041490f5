import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { onePixelPng } from '../fixtures/images.ts'

// Specification, States and transitions: a test for each row.

async function unread(person: Person): Promise<string[]> {
  const { messages } = await person.api.get('/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    apply_markdown: false,
  })
  return messages
    .filter((message: { flags: string[] }) => !message.flags.includes('read'))
    .map((message: { content: string }) => message.content)
}

async function withUnread(): Promise<World> {
  const w = await world({ streams: { verona: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  await hamlet.api.post('/mark_all_as_read')
  await iago.says('g1', { topic: 'one' })
  await iago.says('v1', { stream: 'verona' })
  await iago.says('g2', { topic: 'two' })
  await iago.says('d1', { people: [hamlet] })
  assert.deepEqual(await unread(hamlet), ['g1', 'v1', 'g2', 'd1'], 'premise: all are unread')
  return w
}

test("Message, unread by the current user | POST /mark_all_as_read | applies to all the current user's unread messages", async () => {
  await using w = await withUnread()
  assert.deepEqual(await w.people.hamlet.api.post('/mark_all_as_read'), { status: 200, result: 'success', msg: '' })
  assert.deepEqual(await unread(w.people.hamlet), [])
  assert.notDeepEqual(await unread(w.people.cordelia), [], "nobody else's state changed")
  await w.people.iago.says('later')
  assert.deepEqual(await unread(w.people.hamlet), ['later'])
})

test('Message in a stream, unread | POST /mark_stream_as_read | applies to all unread messages in that stream', async () => {
  await using w = await withUnread()
  const stream_id = await w.streamId('general')
  assert.deepEqual(await w.people.hamlet.api.post('/mark_stream_as_read', { stream_id }), {
    status: 200,
    result: 'success',
    msg: '',
  })
  assert.deepEqual(await unread(w.people.hamlet), ['v1', 'd1'])
})

test('Message in a topic, unread | POST /mark_topic_as_read | applies to all unread messages in that topic', async () => {
  await using w = await withUnread()
  const stream_id = await w.streamId('general')
  assert.deepEqual(await w.people.hamlet.api.post('/mark_topic_as_read', { stream_id, topic_name: 'ONE' }), {
    status: 200,
    result: 'success',
    msg: '',
  })
  assert.deepEqual(await unread(w.people.hamlet), ['v1', 'g2', 'd1'])
})

test('Reaction, present on a message | DELETE /messages/{message_id}/reactions | reaction removed', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await iago.says('hi')
  await hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  assert.equal((await iago.api.get(`/messages/${id}`)).message.reactions.length, 1, 'premise: it is there')
  assert.deepEqual(await hamlet.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }), {
    status: 200,
    result: 'success',
    msg: '',
  })
  assert.deepEqual((await iago.api.get(`/messages/${id}`)).message.reactions, [])
})

test('Message, existing | DELETE /messages/{message_id} | permanently deleted', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await hamlet.says('oops')
  assert.deepEqual(await iago.api.delete(`/messages/${id}`), { status: 200, result: 'success', msg: '' })
  for (const person of [iago, hamlet]) {
    assert.deepEqual(await person.api.get(`/messages/${id}`), {
      status: 400,
      result: 'error',
      code: 'BAD_REQUEST',
      msg: 'Invalid message(s)',
    })
  }
  const rows = await storeOf(w.chat).db.selectFrom('message').select('id').where('id', '=', id).execute()
  assert.deepEqual(rows, [])
})

test('Stream, not default | POST /default_streams | member of the default set for new users', async () => {
  await using w = await world({ streams: { verona: {} } })
  const { iago } = w.people
  const stream_id = await w.streamId('verona')
  const before = await iago.api.post('/users', { email: 'a@example.com', full_name: 'Ann', password: 'long enough' })
  assert.deepEqual(await iago.api.post('/default_streams', { stream_id }), { status: 200, result: 'success', msg: '' })
  const after = await iago.api.post('/users', { email: 'b@example.com', full_name: 'Ben', password: 'long enough' })
  const { subscriptions } = await iago.api.get('/users/me/subscriptions', { include_subscribers: true })
  const verona = subscriptions.find((s: { name: string }) => s.name === 'verona')
  assert.ok(verona.subscribers.includes(after.user_id))
  assert.ok(!verona.subscribers.includes(before.user_id))
  const { realm_default_streams } = await iago.api.post('/register', { fetch_event_types: ['default_streams'] })
  assert.ok(realm_default_streams.includes(stream_id))
})

test('User group, subgroup membership | POST /user_groups/{user_group_id}/subgroups | subgroups added or removed', async () => {
  await using w = await world()
  const { iago } = w.people
  const make = async (name: string) =>
    (await iago.api.post('/user_groups/create', { name, description: '', members: [] })).group_id as number
  const [all, a, b] = [await make('all'), await make('a'), await make('b')]
  const subgroups = async () => {
    const { user_groups } = await iago.api.get('/user_groups')
    return user_groups.find((g: { id: number }) => g.id === all).direct_subgroup_ids
  }
  assert.deepEqual(await iago.api.post(`/user_groups/${all}/subgroups`, { add: [a, b] }), {
    status: 200,
    result: 'success',
    msg: '',
  })
  assert.deepEqual(await subgroups(), [a, b])
  assert.equal((await iago.api.post(`/user_groups/${all}/subgroups`, { delete: [a] })).status, 200)
  assert.deepEqual(await subgroups(), [b])
})

test('Custom emoji, absent | POST /realm/emoji/{emoji_name} | present', async () => {
  await using w = await world()
  const { hamlet } = w.people
  assert.deepEqual(await hamlet.api.upload('/realm/emoji/party parrot', onePixelPng()), {
    status: 200,
    result: 'success',
    msg: '',
  })
  const { emoji } = await hamlet.api.get('/realm/emoji')
  assert.deepEqual(
    Object.values(emoji as Record<string, { name: string }>).map((e) => e.name),
    ['party_parrot'],
  )
})
