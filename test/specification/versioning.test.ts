import assert from 'node:assert/strict'
import test from 'node:test'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { apiOf, world } from '../../src/testing/index.ts'

// Specification, Versioning: a test for each row.

test('Release 2.0 | Sending accepts stream and user IDs in to', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const to = await w.streamId('general')
  assert.equal((await iago.api.post('/messages', { type: 'stream', to, topic: 't', content: 'x' })).status, 200)
  assert.equal((await iago.api.post('/messages', { type: 'private', to: [hamlet.id], content: 'x' })).status, 200)
})

test('Release 2.0 | topic replaces subject, and subject remains a deprecated alias of topic', async () => {
  await using w = await world()
  const { iago } = w.people
  const sent = await iago.api.post('/messages', { type: 'stream', to: 'general', subject: 'old', content: 'x' })
  assert.equal((await iago.api.get(`/messages/${sent.id}`)).message.subject, 'old')
  assert.ok(!('ignored_parameters_unsupported' in sent))
  const both = { type: 'stream', to: 'general', topic: 'new', subject: 'old', content: 'x' }
  const confused = await iago.api.post('/messages', both)
  assert.deepEqual([confused.status, confused.code], [400, 'REQUEST_CONFUSING_VAR'])
})

test('Release 2.1 | include_custom_profile_fields added to the users list', async () => {
  await using w = await world()
  const { members } = await w.people.iago.api.get('/users', { include_custom_profile_fields: true })
  assert.ok(members.every((m: { is_bot: boolean; profile_data?: object }) => m.is_bot !== 'profile_data' in m))
})

test('Feature level 2 | reaction_type optional for custom emoji when removing a reaction', async () => {
  await using w = await world()
  const { iago } = w.people
  const { onePixelPng } = await import('../fixtures/images.ts')
  await iago.api.upload('/realm/emoji/green tick', onePixelPng())
  const { id } = await iago.says('hi')
  assert.equal((await iago.api.post(`/messages/${id}/reactions`, { emoji_name: 'green_tick' })).status, 200)
  assert.equal((await iago.api.delete(`/messages/${id}/reactions`, { emoji_name: 'green_tick' })).status, 200)
  assert.deepEqual((await iago.api.get(`/messages/${id}`)).message.reactions, [])
})

test('Feature level 92 | client_gravatar default changed from false to true', async () => {
  await using w = await world()
  const { members } = await w.people.iago.api.get('/users')
  assert.ok(members.every((member: { avatar_url: string | null }) => member.avatar_url === null))
})

test('Feature level 127 | Update subgroups of a user group introduced', async () => {
  await using w = await world()
  const { iago } = w.people
  const group = async (name: string) =>
    (await iago.api.post('/user_groups/create', { name, description: '', members: [] })).group_id
  const [a, b] = [await group('a'), await group('b')]
  assert.equal((await iago.api.post(`/user_groups/${a}/subgroups`, { add: [b] })).status, 200)
})

test('Feature level 167 | ignored_parameters_unsupported lists unsupported parameters', async () => {
  await using w = await world()
  const { iago } = w.people
  const stream_id = await w.streamId('general')
  assert.deepEqual(await iago.api.post('/mark_stream_as_read', { stream_id, colour: 'red', size: 3 }), {
    status: 200,
    result: 'success',
    msg: '',
    ignored_parameters_unsupported: ['colour', 'size'],
  })
  assert.deepEqual((await iago.api.post('/mark_all_as_read', { x: 1 })).ignored_parameters_unsupported, ['x'])
  assert.ok(!('ignored_parameters_unsupported' in (await iago.api.post('/mark_stream_as_read', { stream_id }))))
})

test('Scheduled sending (deliver_at): returns the time and delivers when due', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const at = Math.floor(w.clock.now() / 1000) + 3600
  const iso = new Date(at * 1000).toISOString().replace('.000Z', '+00:00')
  for (const deliver_at of [iso, String(at)]) {
    const answer = await iago.api.post('/messages', {
      type: 'stream',
      to: 'general',
      topic: 'later',
      content: `at ${deliver_at}`,
      delivery_type: 'send_later',
      deliver_at,
    })
    assert.deepEqual([answer.status, answer.deliver_at, typeof answer.id], [200, iso, 'number'])
  }
  const seen = async () => {
    const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0 })
    return messages.filter((message: { subject: string }) => message.subject === 'later').length
  }
  w.clock.advance(3_500_000)
  await schedulerOf(w.chat).settled()
  assert.equal(await seen(), 0)
  w.clock.advance(100_000)
  await schedulerOf(w.chat).settled()
  assert.equal(await seen(), 2)
})

test('Scheduled sending | rejects a time that has passed or is missing', async () => {
  await using w = await world()
  const send = (deliver_at: string) =>
    w.people.iago.api.post('/messages', { type: 'stream', to: 'general', topic: 't', content: 'x', deliver_at })
  assert.equal((await send('2020-01-01T00:00:00Z')).msg, 'Time must be in the future.')
  for (const nonsense of ['tomorrow', '2026-13-45', '1e400', '-5', 'NaN']) {
    assert.equal((await send(nonsense)).msg, 'Invalid time format', nonsense)
  }
})

test('all paths start with /api/v1', async () => {
  await using w = await world()
  assert.equal((await apiOf(w.chat).get('/server_settings')).status, 200)
  const { createApp } = await import('../../src/http/index.ts')
  const outside = await createApp({ chat: w.chat }).fetch(new Request('http://localhost/messages'))
  assert.equal(outside.status, 404)
  assert.equal(((await outside.json()) as { result: string }).result, 'error')
})

test('the server reports a numeric feature level', async () => {
  await using w = await world()
  const { zulip_feature_level } = await apiOf(w.chat).get('/server_settings')
  assert.equal(zulip_feature_level, 489)
})
