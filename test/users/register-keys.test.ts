import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'

test('register has the fields clients of level 489 require, also when requested individually', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const all = await api.post('/register')
  assert.deepEqual(all.realm_billing, { has_pending_sponsorship_request: false })
  assert.equal(all.navigation_tour_video_url, null)
  assert.deepEqual(
    all.server_thumbnail_formats.map((one: { name: string }) => one.name),
    ['840x560-anim.webp', '840x560.webp'],
  )
  assert.equal(all.realm_message_edit_history_visibility_policy, 'all')
  assert.deepEqual(Object.keys(all.realm_default_external_accounts), ['twitter', 'github'])
  for (const word of ['realm_billing', 'realm_embedded_bots', 'realm_incoming_webhook_bots']) {
    assert.ok(word in (await api.post('/register', { fetch_event_types: [word] })), word)
  }
})

test("an external account's profile field includes the service's texts", async () => {
  await using w = await world()
  const { api } = w.people.iago
  assert.equal((await api.post('/realm/profile_fields', { field_type: 7, field_data: { subtype: 'github' } })).msg, '')
  const { custom_fields } = await api.get('/realm/profile_fields')
  assert.deepEqual([custom_fields[0].name, custom_fields[0].field_data], ['GitHub username', '{"subtype":"github"}'])
})

test('omits presence older than requested', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  await cordelia.api.post('/users/me/presence', { status: 'active' })
  w.clock.advance(3 * 86_400_000)
  const ask = { status: 'active', slim_presence: true }
  const asked = async (more: object) =>
    Object.keys((await hamlet.api.post('/users/me/presence', { ...ask, ...more })).presences).map(Number)
  assert.deepEqual(await asked({}), [hamlet.id, cordelia.id])
  assert.deepEqual(await asked({ history_limit_days: 2 }), [hamlet.id])
  const state = await hamlet.api.post('/register', { slim_presence: true, presence_history_limit_days: 2 })
  assert.deepEqual(Object.keys(state.presences).map(Number), [hamlet.id])
})

test('ignores mark-as-unread in unsubscribed streams and reports the stream', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const stream_id = await w.streamId('general')
  const { id } = await hamlet.says('x')
  const flags = (params: object) => cordelia.api.post('/messages/flags', { messages: [id], flag: 'read', ...params })
  await flags({ op: 'add' })
  const present = await flags({ op: 'remove' })
  assert.deepEqual([present.messages, present.ignored_because_not_subscribed_channels], [[id], []])
  await flags({ op: 'add' })
  await cordelia.api.delete('/users/me/subscriptions', { subscriptions: ['general'] })
  const away = await flags({ op: 'remove' })
  assert.deepEqual([away.messages, away.ignored_because_not_subscribed_channels], [[], [stream_id]])
  const narrow = await cordelia.api.post('/messages/flags/narrow', {
    anchor: id,
    num_before: 0,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: stream_id }],
    op: 'remove',
    flag: 'read',
  })
  assert.deepEqual([narrow.updated_count, narrow.ignored_because_not_subscribed_channels], [0, [stream_id]])
  assert.ok(!('ignored_because_not_subscribed_channels' in (await flags({ op: 'add' }))))
})

test('answers the keys of GIF services that the operator gave', async () => {
  await using w = await world({ chat: { gifApiKeys: { giphy: 'g1', klipy: 'k1' } } })
  const { api } = w.people.hamlet
  const { giphy_api_key, tenor_api_key, klipy_api_key } = await api.post('/register')
  assert.deepEqual([giphy_api_key, tenor_api_key, klipy_api_key], ['g1', '', 'k1'])
  for (const [service, key] of Object.entries({ giphy: 'g1', tenor: '', klipy: 'k1' })) {
    const state = await api.post('/register', { fetch_event_types: [service] })
    assert.equal(state[`${service}_api_key`], key)
  }
})
