import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ofType } from '../../src/testing/verify-events.ts'
import { world } from '../../src/testing/world.ts'

test('sends typing events to all participants, including the writer', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await w.events()
  await hamlet.api.post('/typing', { op: 'start', to: [iago.id] })
  const person = ({ id, email }: typeof hamlet) => ({ user_id: id, email })
  assert.deepEqual(await w.events(), [
    {
      type: 'typing',
      op: 'start',
      message_type: 'direct',
      sender: person(hamlet),
      recipients: [person(iago), person(hamlet)],
    },
  ])
})

test('sends typing events for topics and message edits', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const stream_id = await w.streamId('general')
  const { id } = await hamlet.says('draft')
  await w.events()
  assert.equal(
    (await hamlet.api.post('/typing', { op: 'stop', type: 'stream', stream_id, topic: 'plays' })).result,
    'success',
  )
  assert.equal(
    (await hamlet.api.post('/typing', { op: 'stop', type: 'channel', to: [stream_id], topic: 'plays' })).result,
    'success',
  )
  assert.equal((await hamlet.api.post(`/messages/${id}/typing`, { op: 'start' })).result, 'success')
  const events = await w.events()
  assert.deepEqual(
    events.map((event) => event.type),
    ['typing', 'typing', 'typing_edit_message'],
  )
  assert.deepEqual(ofType(events, 'typing_edit_message')[0]!.recipient, {
    type: 'channel',
    channel_id: stream_id,
    topic: 'greetings',
  })
})

test("rejects typing where the user can't post", async () => {
  await using w = await world({ streams: { crypt: { private: true, members: ['iago'] } } })
  const { hamlet, iago } = w.people
  const stream_id = await w.streamId('crypt')
  const { id } = await iago.says('mine')
  const cases: [string, Record<string, unknown>, string][] = [
    ['/typing', { op: 'start', type: 'stream', stream_id, topic: 'x' }, 'Invalid stream ID'],
    ['/typing', { op: 'start', type: 'stream', topic: 'x' }, "Missing 'stream_id' argument"],
    ['/typing', { op: 'start' }, "Missing 'to' argument"],
    ['/typing', { op: 'start', to: [] }, "Empty 'to' list"],
    ['/typing', { op: 'start', to: [999] }, 'Invalid user ID 999'],
    ['/typing', { op: 'sing', to: [iago.id] }, 'Invalid op'],
    [`/messages/${id}/typing`, { op: 'start' }, "You don't have permission to edit this message"],
  ]
  for (const [path, params, msg] of cases) {
    const answer = await hamlet.api.post(path, params)
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  await hamlet.api.patch('/settings', { send_private_typing_notifications: false })
  assert.equal(
    (await hamlet.api.post('/typing', { op: 'start', to: [iago.id] })).msg,
    'User has disabled typing notifications for direct messages',
  )
})
