import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'

const success = { status: 200, result: 'success', msg: '' }

const unread = async (who: Person) => {
  const { unread_msgs } = await who.api.post('/register', { fetch_event_types: ['update_message_flags'] })
  return unread_msgs
}

test('marks everything, a stream or a topic as read', async () => {
  await using w = await world({ streams: { other: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const stream_id = await w.streamId('general')
  await hamlet.api.post('/mark_all_as_read')
  const a = await iago.says('1', { topic: 'a' })
  const b = await iago.says('2', { topic: 'b' })
  const other = await iago.says('3', { stream: 'other' })
  const direct = await iago.says('4', { people: [hamlet] })
  const nextEvents = await listen(hamlet)
  assert.equal((await unread(hamlet)).count, 4)
  assert.deepEqual(await hamlet.api.post('/mark_topic_as_read', { stream_id, topic_name: 'A ' }), success)
  assert.equal((await unread(hamlet)).count, 3)
  assert.deepEqual(await hamlet.api.post('/mark_stream_as_read', { stream_id }), success)
  assert.deepEqual(
    (await unread(hamlet)).streams.map((s: { unread_message_ids: number[] }) => s.unread_message_ids),
    [[other.id]],
  )
  assert.deepEqual(await hamlet.api.post('/mark_all_as_read'), success)
  assert.deepEqual(await unread(hamlet), {
    count: 0,
    pms: [],
    streams: [],
    huddles: [],
    mentions: [],
    old_unreads_missing: false,
  })
  const event = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read' }
  assert.deepEqual(await nextEvents(), [
    { ...event, messages: [a.id], all: false },
    { ...event, messages: [b.id], all: false },
    { ...event, messages: [], all: true },
  ])
  assert.ok(direct.id > other.id)
})

test('marking read messages as read sends no event', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const stream_id = await w.streamId('general')
  const nextEvents = await listen(hamlet)
  assert.deepEqual(await hamlet.api.post('/mark_stream_as_read', { stream_id }), success)
  assert.deepEqual(await nextEvents(), [])
})

test('rejects invalid targets', async () => {
  await using w = await world({ streams: { secret: { private: true } } })
  const { hamlet, iago } = w.people
  await iago.says('hush', { stream: 'secret', topic: 'plot' })
  const secret = await w.streamId('secret')
  const error = { status: 400, result: 'error', code: 'BAD_REQUEST' }
  for (const stream_id of [secret, 999]) {
    const answer = { ...error, msg: 'Invalid stream ID' }
    assert.deepEqual(await hamlet.api.post('/mark_stream_as_read', { stream_id }), answer)
    assert.deepEqual(await hamlet.api.post('/mark_topic_as_read', { stream_id, topic_name: 'plot' }), answer)
  }
  const stream_id = await w.streamId('general')
  assert.deepEqual(await hamlet.api.post('/mark_topic_as_read', { stream_id, topic_name: 'nope' }), {
    ...error,
    msg: "No such topic 'nope'",
  })
})
