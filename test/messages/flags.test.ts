import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { world } from '../../src/testing/index.ts'
import { listen } from './listen.ts'

test('sets and clears a flag with an event to its owner only', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await iago.says('hello')
  const nextEvents = await listen(hamlet)
  const iagoEvents = await listen(iago)
  const params = { messages: [id], flag: 'starred' }
  for (const op of ['add', 'add', 'remove', 'remove']) {
    const answer = await hamlet.api.post('/messages/flags', { ...params, op })
    assert.deepEqual(answer, { status: 200, result: 'success', msg: '', messages: [id] })
  }
  const event = { type: 'update_message_flags', flag: 'starred', messages: [id], all: false }
  assert.deepEqual(await nextEvents(), [
    { ...event, op: 'add', operation: 'add' },
    { ...event, op: 'remove', operation: 'remove' },
  ])
  assert.deepEqual(await iagoEvents(), [])
  assert.deepEqual(await storeOf(w.chat).db.selectFrom('message_flag').selectAll().execute(), [])
})

test('a flag leaves the others unchanged', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await iago.says('@**hamlet** hello')
  const flags = async () => (await hamlet.api.get(`/messages/${id}`)).message.flags
  assert.deepEqual(await flags(), ['mentioned'])
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'collapsed' })
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  assert.deepEqual((await flags()).sort(), ['collapsed', 'mentioned', 'read', 'starred'])
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'collapsed' })
  assert.deepEqual((await flags()).sort(), ['mentioned', 'read', 'starred'])
})

test('marking as unread sends the message details clients need', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const inStream = await iago.says('@**hamlet** hello')
  const direct = await iago.says('psst', { people: [hamlet, w.people.cordelia] })
  const messages = [inStream.id, direct.id]
  const nextEvents = await listen(hamlet)
  await hamlet.api.post('/messages/flags', { messages, op: 'add', flag: 'read' })
  await hamlet.api.post('/messages/flags', { messages, op: 'remove', flag: 'read' })
  const event = { type: 'update_message_flags', flag: 'read', messages, all: false }
  const message_details = {
    [inStream.id]: { type: 'stream', mentioned: true, stream_id: await w.streamId('general'), topic: 'greetings' },
    [direct.id]: { type: 'private', mentioned: false, user_ids: [iago.id, w.people.cordelia.id] },
  }
  assert.deepEqual(await nextEvents(), [
    { ...event, op: 'add', operation: 'add' },
    { ...event, op: 'remove', operation: 'remove', message_details },
  ])
})

const refused: [what: string, params: Record<string, unknown>, answer: Record<string, unknown>][] = [
  ...['mentioned', 'wildcard_mentioned', 'has_alert_word', 'historical'].map((flag): (typeof refused)[number] => [
    `the server's own flag ${flag}`,
    { messages: [], op: 'add', flag },
    { code: 'BAD_REQUEST', msg: `Flag not editable: '${flag}'` },
  ]),
  ['no flag at all', { messages: [], op: 'add', flag: 'shiny' }, { code: 'BAD_REQUEST', msg: "Invalid flag: 'shiny'" }],
  [
    'no op',
    { messages: [], op: 'toggle', flag: 'read' },
    { code: 'BAD_REQUEST', msg: "Invalid message flag operation: 'toggle'" },
  ],
  ['no message', { messages: [999], op: 'add', flag: 'read' }, { code: 'BAD_REQUEST', msg: 'Invalid message(s)' }],
  [
    'nothing given',
    { op: 'add', flag: 'read' },
    { code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'messages' argument", var_name: 'messages' },
  ],
]

test('rejects invalid flags', async (t) => {
  await using w = await world()
  for (const [what, params, answer] of refused) {
    await t.test(what, async () => {
      assert.deepEqual(await w.people.hamlet.api.post('/messages/flags', params), {
        status: 400,
        result: 'error',
        ...answer,
      })
    })
  }
})

test('one inaccessible message rejects the entire request', async () => {
  await using w = await world({ streams: { secret: { private: true } } })
  const { iago, hamlet } = w.people
  const open = await iago.says('hello')
  const hidden = await iago.says('hush', { stream: 'secret' })
  await w.events()
  const messages = [open.id, hidden.id]
  const answer = await hamlet.api.post('/messages/flags', { messages, op: 'add', flag: 'starred' })
  assert.deepEqual(answer, { status: 400, result: 'error', code: 'BAD_REQUEST', msg: 'Invalid message(s)' })
  assert.deepEqual(await w.events(), [])
})

test('flags a window of a narrow and reports its range', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const ids: number[] = []
  for (let i = 0; i < 6; i++) ids.push((await iago.says('x', { topic: i % 2 ? 'odd' : 'even' })).id)
  const narrow = [
    { operator: 'channel', operand: await w.streamId('general') },
    { operator: 'topic', operand: 'odd' },
  ]
  const params = { narrow, op: 'add', flag: 'read', anchor: 'oldest', num_before: 0, num_after: 2 }
  assert.deepEqual(await hamlet.api.post('/messages/flags/narrow', params), {
    status: 200,
    result: 'success',
    msg: '',
    processed_count: 2,
    updated_count: 2,
    first_processed_id: ids[1],
    last_processed_id: ids[3],
    found_oldest: true,
    found_newest: false,
  })
  const on = { ...params, anchor: ids[3], include_anchor: false, num_after: 50 }
  const rest = await hamlet.api.post('/messages/flags/narrow', on)
  assert.deepEqual([rest.processed_count, rest.first_processed_id, rest.found_newest], [1, ids[5], true])
  const none = await hamlet.api.post('/messages/flags/narrow', { ...on, anchor: ids[5] })
  assert.deepEqual([none.processed_count, none.first_processed_id, none.last_processed_id], [0, null, null])
})

test('flags none of more messages than one write takes when any is inaccessible', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago'] } } })
  const { iago, hamlet } = w.people
  const sent = await Promise.all(Array.from({ length: 1001 }, (_, n) => iago.says(`message ${n}`)))
  const ids = sent.map((message) => message.id)
  const hidden = await iago.says('secret', { stream: 'secret' })
  const add = { op: 'add', flag: 'starred' }
  const refused = await hamlet.api.post('/messages/flags', { ...add, messages: [...ids, hidden.id] })
  assert.equal(refused.msg, 'Invalid message(s)')
  assert.deepEqual(await storeOf(w.chat).db.selectFrom('message_flag').selectAll().execute(), [])
  assert.equal((await hamlet.api.post('/messages/flags', { ...add, messages: ids })).result, 'success')
  const rows = await storeOf(w.chat).db.selectFrom('message_flag').selectAll().execute()
  assert.equal(rows.length, 1001)
})

test("flags at most 5,000 messages of a narrow, without the anchor only at a range's end", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const params = { narrow: [], anchor: 'newest', op: 'add', flag: 'starred', num_before: 0, num_after: 0 }
  const refusal = async (more: object) => (await hamlet.api.post('/messages/flags/narrow', { ...params, ...more })).msg
  assert.equal(await refusal({ num_before: 5001 }), 'Too many messages requested (maximum 5000).')
  assert.equal(
    await refusal({ num_before: 1, num_after: 1, include_anchor: false }),
    'The anchor can only be excluded if it is at either end of the range',
  )
  assert.equal(await refusal({ num_before: 1, include_anchor: false }), '')
})
