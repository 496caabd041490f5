import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { deactivateUser } from '../../src/index.ts'
import { world } from '../../src/testing/world.ts'

const soon = (w: { clock: { now(): number } }, seconds = 60) => Math.floor(w.clock.now() / 1000) + seconds

test('schedules and edits a message, and sends it when due', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const general = await w.streamId('general')
  const { scheduled_message_id: id } = await hamlet.api.post('/scheduled_messages', {
    type: 'direct',
    to: [cordelia.id],
    content: 'hello',
    scheduled_delivery_timestamp: soon(w),
  })
  const change = { type: 'channel', to: general, topic: 'greetings', content: 'hello *all*' }
  assert.equal((await hamlet.api.patch(`/scheduled_messages/${id}`, change)).result, 'success')
  const { scheduled_messages } = await hamlet.api.get('/scheduled_messages')
  assert.deepEqual(scheduled_messages, [
    {
      scheduled_message_id: id,
      type: 'stream',
      to: general,
      topic: 'greetings',
      content: 'hello *all*',
      rendered_content: '<p>hello <em>all</em></p>',
      scheduled_delivery_timestamp: soon(w),
      failed: false,
    },
  ])
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  assert.deepEqual((await hamlet.api.get('/scheduled_messages')).scheduled_messages, [])
  const { messages } = await cordelia.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.deepEqual([messages[0].content, messages[0].subject], ['<p>hello <em>all</em></p>', 'greetings'])
})

test("doesn't send a canceled message", async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { scheduled_message_id: id } = await hamlet.api.post('/scheduled_messages', {
    type: 'direct',
    to: [cordelia.id],
    content: 'never',
    scheduled_delivery_timestamp: soon(w),
  })
  assert.equal((await hamlet.api.delete(`/scheduled_messages/${id}`)).result, 'success')
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  const { messages } = await cordelia.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.notEqual(messages[0].content, '<p>never</p>')
})

test('only the sender can see or change a scheduled message', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const params = { type: 'stream', to: await w.streamId('general'), topic: 'x', content: 'x' }
  const { scheduled_message_id: id } = await hamlet.api.post('/scheduled_messages', {
    ...params,
    scheduled_delivery_timestamp: soon(w),
  })
  for (const answer of [
    await iago.api.patch(`/scheduled_messages/${id}`, { content: 'y' }),
    await iago.api.delete(`/scheduled_messages/${id}`),
  ]) {
    assert.deepEqual([answer.status, answer.code, answer.msg], [404, 'BAD_REQUEST', 'Scheduled message does not exist'])
  }
})

test('rejects invalid edits and changes nothing', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const past = 'Scheduled delivery time must be in the future.'
  const first = { type: 'direct', to: [cordelia.id], content: 'x' }
  const refused = await hamlet.api.post('/scheduled_messages', { ...first, scheduled_delivery_timestamp: soon(w, 0) })
  assert.deepEqual([refused.status, refused.msg], [400, past])
  const { scheduled_message_id: id } = await hamlet.api.post('/scheduled_messages', {
    ...first,
    scheduled_delivery_timestamp: soon(w),
  })
  const before = (await hamlet.api.get('/scheduled_messages')).scheduled_messages
  for (const [params, msg] of [
    [{}, 'Nothing to change'],
    [{ type: 'stream' }, 'Recipient required when updating type of scheduled message.'],
    [{ type: 'stream', to: 1 }, 'Topic required when updating scheduled message type to channel.'],
    [{ scheduled_delivery_timestamp: soon(w, -1) }, past],
    [{ content: ' ' }, 'Message must not be empty'],
  ] as const) {
    const answer = await hamlet.api.patch(`/scheduled_messages/${id}`, params)
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  assert.deepEqual((await hamlet.api.get('/scheduled_messages')).scheduled_messages, before)
})

test("a deactivated sender's message fails without holding up others", async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  for (const [who, content] of [
    [hamlet, 'from nobody'],
    [cordelia, 'in time'],
  ] as const) {
    const to = [iago.id]
    await who.api.post('/scheduled_messages', { type: 'direct', to, content, scheduled_delivery_timestamp: soon(w) })
  }
  await deactivateUser(iago, { user_id: hamlet.id })
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  const { messages } = await iago.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.equal(messages[0].content, '<p>in time</p>')
})

test('respects read_by_sender', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const params = { type: 'stream', to: await w.streamId('general'), topic: 'x', content: 'x', read_by_sender: false }
  await hamlet.api.post('/scheduled_messages', { ...params, scheduled_delivery_timestamp: soon(w) })
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.deepEqual(messages[0].flags, [])
})
