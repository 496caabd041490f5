import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'

// Specification, Resources: "Message (as written)", a test for each row.

test('Message | type | "private" or "stream"', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const stream = await iago.api.post('/messages', { type: 'stream', to: 'general', topic: 't', content: 'a' })
  const direct = await iago.api.post('/messages', { type: 'private', to: [hamlet.id], content: 'b' })
  assert.deepEqual([stream.status, direct.status], [200, 200])
  assert.equal((await hamlet.api.get(`/messages/${stream.id}`)).message.type, 'stream')
  assert.equal((await hamlet.api.get(`/messages/${direct.id}`)).message.type, 'private')
  assert.deepEqual(
    await iago.api.post('/messages', { type: 'carrier pigeon', to: 'general', topic: 't', content: 'a' }),
    {
      status: 400,
      result: 'error',
      code: 'BAD_REQUEST',
      msg: 'Invalid type',
    },
  )
})

test('Message | type | required', async () => {
  await using w = await world()
  assert.deepEqual(await w.people.iago.api.post('/messages', { to: 'general', topic: 't', content: 'a' }), {
    status: 400,
    result: 'error',
    code: 'REQUEST_VARIABLE_MISSING',
    msg: "Missing 'type' argument",
    var_name: 'type',
  })
})

test('Message | to | array of integers, or a string, or array of strings', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const id = await w.streamId('general')
  const toStream = ['general', id, String(id), ['general'], [id]]
  for (const to of toStream) {
    const sent = await iago.api.post('/messages', { type: 'stream', to, topic: 't', content: 'x' })
    assert.equal(sent.status, 200, `${JSON.stringify(to)}: ${sent.msg}`)
    assert.equal((await hamlet.api.get(`/messages/${sent.id}`)).message.stream_id, id)
  }
  const toPeople = [
    [hamlet.id, cordelia.id],
    [hamlet.email, cordelia.email],
    `${hamlet.email}, ${cordelia.email}`,
    [hamlet.id, iago.id, cordelia.id, hamlet.id],
  ]
  const conversations = new Set<number>()
  for (const to of toPeople) {
    const sent = await iago.api.post('/messages', { type: 'private', to, content: 'x' })
    assert.equal(sent.status, 200, `${JSON.stringify(to)}: ${sent.msg}`)
    conversations.add((await cordelia.api.get(`/messages/${sent.id}`)).message.recipient_id)
  }
  assert.equal(conversations.size, 1, 'the same people are the same conversation')
})

test('Message | to | required', async () => {
  await using w = await world()
  const answer = await w.people.iago.api.post('/messages', { type: 'stream', topic: 't', content: 'a' })
  assert.deepEqual([answer.status, answer.code, answer.msg], [400, 'REQUEST_VARIABLE_MISSING', "Missing 'to' argument"])
})

test('Message | content | maximum 10000 bytes', async () => {
  await using w = await world()
  const { iago } = w.people
  const send = (content: string) => iago.api.post('/messages', { type: 'stream', to: 'general', topic: 't', content })
  assert.equal((await send('a'.repeat(10_000))).status, 200)
  assert.equal((await send('é'.repeat(5_000))).status, 200)
  for (const content of ['a'.repeat(10_001), 'é'.repeat(5_001)]) {
    const refused = await send(content)
    assert.equal(refused.status, 400)
    assert.equal(refused.code, 'BAD_REQUEST')
    assert.match(refused.msg, /10000/)
  }
  const { messages } = await iago.api.get('/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
  })
  assert.deepEqual(
    messages
      .filter((m: { type: string }) => m.type === 'stream')
      .map((m: { content: string }) => Buffer.byteLength(m.content)),
    [10_000, 10_000],
    'nothing was cut and nothing stored of what was refused',
  )
})

test('Message | content | required', async () => {
  await using w = await world()
  const missing = await w.people.iago.api.post('/messages', { type: 'stream', to: 'general', topic: 't' })
  assert.deepEqual([missing.status, missing.code], [400, 'REQUEST_VARIABLE_MISSING'])
  const blank = await w.people.iago.api.post('/messages', {
    type: 'stream',
    to: 'general',
    topic: 't',
    content: ' \n ',
  })
  assert.deepEqual([blank.status, blank.msg], [400, 'Message must not be empty'])
})

test('Message | topic | only for type "stream", maximum 60 characters', async () => {
  await using w = await world()
  const { iago } = w.people
  const send = (topic: string) => iago.api.post('/messages', { type: 'stream', to: 'general', topic, content: 'x' })
  assert.equal((await send('t'.repeat(60))).status, 200)
  assert.equal((await send('🐙'.repeat(60))).status, 200, 'characters, not bytes or halves of them')
  const refused = await send('t'.repeat(61))
  assert.deepEqual([refused.status, refused.code], [400, 'BAD_REQUEST'])
  assert.match(refused.msg, /60/)
  const missing = await iago.api.post('/messages', { type: 'stream', to: 'general', content: 'x' })
  assert.deepEqual([missing.status, missing.msg], [400, 'Missing topic'])
})

test('Message | topic | ignored for private messages', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const sent = await iago.api.post('/messages', {
    type: 'private',
    to: [hamlet.id],
    topic: 't'.repeat(500),
    content: 'x',
  })
  assert.equal(sent.status, 200)
  assert.equal((await hamlet.api.get(`/messages/${sent.id}`)).message.subject, '')
})

test('Message | queue_id | event queue ID of a client that does local echo', async () => {
  await using w = await world()
  const { iago } = w.people
  const { queue_id, last_event_id } = await iago.api.post('/register', { event_types: ['message'] })
  const sent = await iago.api.post('/messages', {
    type: 'stream',
    to: 'general',
    topic: 't',
    content: 'x',
    queue_id,
    local_id: '12.5',
  })
  assert.equal(sent.status, 200)
  const { events } = await iago.api.get('/events', { queue_id, last_event_id, dont_block: true })
  assert.equal(events[0].local_id, '12.5')
})

test('Message | local_id | returned untouched', async () => {
  await using w = await world()
  const { iago } = w.people
  for (const local_id of ['1', '  spaced ', '"quoted"', 'ünïcödé 🐙', '{"json":1}', 'null']) {
    const { queue_id, last_event_id } = await iago.api.post('/register', { event_types: ['message'] })
    await iago.api.post('/messages', { type: 'stream', to: 'general', topic: 't', content: 'x', queue_id, local_id })
    const { events } = await iago.api.get('/events', { queue_id, last_event_id, dont_block: true })
    assert.equal(events[0].local_id, local_id)
  }
})

test('Message | local_id | required when queue_id is passed', async () => {
  await using w = await world()
  const { queue_id } = await w.people.iago.api.post('/register', { event_types: ['message'] })
  const message = { type: 'stream', to: 'general', topic: 't', content: 'x', queue_id }
  assert.deepEqual(await w.people.iago.api.post('/messages', message), {
    status: 400,
    result: 'error',
    code: 'REQUEST_VARIABLE_MISSING',
    msg: "Missing 'local_id' argument",
    var_name: 'local_id',
  })
})

test('identifies the sent message by an integer id', async () => {
  await using w = await world()
  const first = await w.people.iago.says('one')
  const second = await w.people.iago.says('two')
  assert.ok(Number.isInteger(first.id) && second.id > first.id)
})

test('Send a message | returns id, and deliver_at only for scheduled messages', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const received = await listen(hamlet, ['user_topic'])
  const post = { type: 'stream', to: 'general', topic: 'new', content: 'x' }
  const sent = await hamlet.api.post('/messages', post)
  assert.deepEqual(Object.keys(sent).sort(), ['id', 'msg', 'result', 'status'])
  assert.deepEqual([sent.result, sent.msg, typeof sent.id], ['success', '', 'number'])
  const [event, ...others] = await received()
  assert.deepEqual([event.topic_name, event.visibility_policy, others], ['new', 3, []], 'the event says it is followed')
  const deliver_at = String(Math.floor(w.clock.now() / 1000) + 60)
  const scheduled = await hamlet.api.post('/messages', { ...post, deliver_at })
  assert.deepEqual(Object.keys(scheduled).sort(), ['deliver_at', 'id', 'msg', 'result', 'status'])
  assert.equal(typeof scheduled.deliver_at, 'string')
})
