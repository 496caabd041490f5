import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { isChatError, sendMessage } from '../../src/index.ts'
import { world } from '../../src/testing/index.ts'

test('a send publishes exactly one event', async () => {
  await using w = await world()
  await w.people.iago.says('the first of all, which the stream remembers')
  await w.events()
  await w.people.hamlet.says('hello')
  assert.deepEqual(
    (await w.events()).map((event) => event.type),
    ['message'],
  )
})

test('an embedder gets the same rejections as a client', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await assert.rejects(
    sendMessage(hamlet, { type: 'stream', to: 'nowhere', topic: 't', content: 'x' }),
    (error) => isChatError(error) && error.code === 'STREAM_DOES_NOT_EXIST' && error.data.stream === 'nowhere',
  )
  // Wrong types don't compile, and fail at run time as well.
  const wrong = { type: 'stream' as const, to: 'general', topic: 't', content: 5 as unknown as string }
  await assert.rejects(sendMessage(hamlet, wrong), /content is not a string/)
})

test('actions in one write all succeed or all fail', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const count = async () => (await storeOf(w.chat).db.selectFrom('message').select('id').execute()).length
  const before = await count()
  await w.events()
  await assert.rejects(
    hamlet.write(async (tx) => {
      await sendMessage(tx, { type: 'stream', to: 'general', topic: 't', content: 'one' })
      await sendMessage(tx, { type: 'stream', to: 'nowhere', topic: 't', content: 'two' })
    }),
    /does not exist/,
  )
  assert.equal(await count(), before)
  assert.deepEqual(await w.events(), [], 'there is no event')
  await cordelia.write(async (tx) => {
    await sendMessage(tx, { type: 'stream', to: 'general', topic: 't', content: 'one' })
    await sendMessage(tx, { type: 'stream', to: 'general', topic: 't', content: 'two' })
  })
  assert.equal(await count(), before + 2)
})

test("a failing write doesn't affect others in the same commit", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const sends = ['general', 'nowhere', 'general', 'nowhere'].map((to) =>
    sendMessage(hamlet, { type: 'stream', to, topic: 't', content: 'x' }),
  )
  const outcomes = (await Promise.allSettled(sends)).map((outcome) => outcome.status)
  assert.deepEqual(outcomes, ['fulfilled', 'rejected', 'fulfilled', 'rejected'])
})

test('topics differing only in case are one and keep the first spelling', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await hamlet.says('a', { topic: 'Übung' })
  const { id } = await hamlet.says('b', { topic: 'üBUNG' })
  assert.equal((await hamlet.api.get(`/messages/${id}`)).message.subject, 'Übung')
})

test("shows the empty topic's display name to clients that don't support it", async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (const topic of ['', '(no topic)']) {
    const { id } = await hamlet.api.post('/messages', { type: 'stream', to: 'general', topic, content: 'x' })
    assert.equal((await hamlet.api.get(`/messages/${id}`)).message.subject, 'general chat')
    assert.equal((await hamlet.api.get(`/messages/${id}`, { allow_empty_topic_name: true })).message.subject, '')
  }
})

const direct: { name: string; to: unknown; msg: RegExp }[] = [
  { name: 'nobody', to: [], msg: /recipients/ },
  { name: 'an unknown id', to: [999], msg: /^Invalid user ID 999$/ },
  {
    name: 'one unknown among known',
    to: ['hamlet@example.com', 'x@example.com'],
    msg: /^Invalid email 'x@example.com'$/,
  },
  { name: 'an object', to: { id: 3 }, msg: /^(to|Invalid email)/ },
  { name: 'a list of lists', to: [[1]], msg: /^to/ },
  { name: 'a fraction', to: [1.5], msg: /^to/ },
  { name: 'a number beyond all ids', to: [1e300], msg: /^to/ },
]
for (const { name, to, msg } of direct) {
  test(`rejects a direct message to ${name}`, async () => {
    await using w = await world()
    await w.events()
    const answer = await w.people.iago.api.post('/messages', { type: 'private', to, content: 'x' })
    assert.deepEqual([answer.status, answer.code], [400, 'BAD_REQUEST'], answer.msg)
    assert.match(answer.msg, msg)
    assert.deepEqual(await w.events(), [])
  })
}

test('a message to oneself is a conversation of one', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { id } = await hamlet.says('note', { people: [hamlet] })
  const { message } = await hamlet.api.get(`/messages/${id}`)
  assert.deepEqual(
    message.display_recipient.map((person: { id: number }) => person.id),
    [hamlet.id],
  )
  assert.equal((await cordelia.api.get(`/messages/${id}`)).msg, 'Invalid message(s)')
})

test('mentions flag only recipients of the message', async () => {
  await using w = await world({ streams: { verona: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet, cordelia } = w.people
  const { id } = await iago.says('@**hamlet** and @**cordelia**', { stream: 'verona' })
  const flagged = await storeOf(w.chat)
    .db.selectFrom('message_flag')
    .select('user_id')
    .where('message_id', '=', id)
    .execute()
  assert.deepEqual(flagged, [{ user_id: hamlet.id }], 'cordelia is not in the stream')
  assert.ok((await hamlet.api.get(`/messages/${id}`)).message.flags.includes('mentioned'))
  assert.ok(!(await cordelia.api.get(`/messages/${id}`)).message.flags.includes('mentioned'))
})

test('a sender outside the stream gets their own message', async () => {
  await using w = await world({ streams: { verona: { members: ['iago'] } } })
  const { hamlet } = w.people
  const { queue_id, last_event_id } = await hamlet.api.post('/register', { event_types: ['message'] })
  const { id } = await hamlet.says('passing by', { stream: 'verona' })
  const { events } = await hamlet.api.get('/events', { queue_id, last_event_id, dont_block: true })
  assert.deepEqual(
    events.map((event: { message: { id: number } }) => event.message.id),
    [id],
  )
})

test("repeating a send doesn't restore its deleted message", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { queue_id } = await hamlet.api.post('/register')
  const send = () =>
    hamlet.api.post('/messages', {
      type: 'stream',
      to: 'general',
      topic: 't',
      content: 'once',
      queue_id,
      local_id: '1',
    })
  const { id } = await send()
  await iago.api.delete(`/messages/${id}`)
  assert.deepEqual(await send(), { status: 200, result: 'success', msg: '', id })
  const { messages } = await iago.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  assert.deepEqual(
    messages.filter((message: { content: string }) => message.content.includes('once')),
    [],
  )
})

test('a rejected send can be corrected and repeated with the same local id', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { queue_id } = await hamlet.api.post('/register')
  const echo = { type: 'stream', topic: 't', content: 'x', queue_id, local_id: '1' }
  assert.equal((await hamlet.api.post('/messages', { ...echo, to: 'nowhere' })).code, 'STREAM_DOES_NOT_EXIST')
  const both = await Promise.all([1, 2].map(() => hamlet.api.post('/messages', { ...echo, to: 'general' })))
  assert.deepEqual([both[0]!.status, both[0]!.id], [200, both[1]!.id])
  // A send of another user is a different one, whatever its local id.
  assert.notEqual((await cordelia.api.post('/messages', { ...echo, to: 'general' })).id, both[0]!.id)
})

test('finds a stream by a name that looks like a number', async () => {
  await using w = await world({ streams: { '1e0': { members: ['hamlet'] } } })
  const { hamlet } = w.people
  await hamlet.api.post('/messages', { type: 'stream', to: '1e0', topic: 't', content: 'x' })
  const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.equal(messages[0].display_recipient, '1e0')
})
