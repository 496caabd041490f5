import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { create, newAccount, outcome, roleId } from './proofs.ts'

const CONTENT = 'Channel content access is required.'

test('administering a private stream gives no access to it', async () => {
  await using w = await world({
    people: { adam: { role: 'administrator' } },
    streams: { crypt: { private: true, sharedHistory: true, members: ['hamlet'] } },
  })
  const adam = w.person('adam')
  const { id } = await w.people.hamlet.says('alas', { stream: 'crypt', topic: 'skulls' })
  const path = `/streams/${await w.streamId('crypt')}`
  const own = { new: { direct_members: [adam.id], direct_subgroups: [] } }
  const members = { new: await roleId(w, 'role:members') }
  for (const value of [own, members]) {
    assert.equal(outcome(await adam.api.patch(path, { can_subscribe_group: value })), CONTENT)
    assert.equal(outcome(await adam.api.patch(path, { can_add_subscribers_group: value })), CONTENT)
    assert.equal(outcome(await adam.api.patch(path, { is_private: false })), CONTENT)
    assert.equal(outcome(await adam.api.patch(path, { can_administer_channel_group: value })), 'ok')
    for (const params of [{}, { principals: [adam.id] }, { principals: [w.people.cordelia.id] }]) {
      assert.equal(outcome(await create(adam, 'crypt', params)), 'Unable to access stream (crypt).')
    }
  }
  assert.equal((await adam.api.get(`/messages/${id}`)).msg, 'Invalid message(s)')
  // Subscribers who administer it may add users: now all members administer it.
  assert.equal(outcome(await w.people.hamlet.api.patch(path, { can_subscribe_group: members })), 'ok')
  await verifyEvents([w.people.cordelia, w.people.iago], async () => {
    assert.equal(outcome(await create(w.people.cordelia, 'crypt')), 'ok')
  })
  assert.equal((await w.people.cordelia.api.get(`/messages/${id}`)).status, 200)
})

test('only administrators and the creator of a stream administer it', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  await create(hamlet, 'court')
  const path = `/streams/${await w.streamId('court')}`
  assert.equal(outcome(await hamlet.api.patch(path, { new_name: 'castle' })), 'ok')
  assert.equal(
    outcome(await cordelia.api.patch(path, { new_name: 'mine' })),
    'You do not have permission to administer this channel.',
  )
  const { stream } = await hamlet.api.get(path)
  assert.deepEqual(stream.can_administer_channel_group, { direct_members: [hamlet.id], direct_subgroups: [] })
  const general = await hamlet.api.get(`/streams/${await w.streamId('general')}`)
  assert.equal(general.stream.can_administer_channel_group, await roleId(w, 'role:nobody'))
  await create(hamlet, 'ward', { can_administer_channel_group: await roleId(w, 'role:nobody') })
  assert.notEqual((await hamlet.api.patch(`/streams/${await w.streamId('ward')}`, { description: 'x' })).status, 200)
})

test("only owners set message retention, and can't exceed what is enforced", async () => {
  await using w = await world({ people: { adam: { role: 'administrator' } }, streams: { court: {} } })
  const { iago, hamlet } = w.people
  const adam = w.person('adam')
  const path = `/streams/${await w.streamId('court')}`
  const days = { message_retention_days: 5 }
  const owner = { msg: 'Must be an organization owner', code: 'UNAUTHORIZED_PRINCIPAL' }
  for (const answer of [await adam.api.patch(path, days), await create(hamlet, 'yard', days)]) {
    assert.deepEqual({ msg: answer.msg, code: answer.code }, owner)
  }
  for (const answer of [await iago.api.patch(path, days), await create(iago, 'yard', days)]) {
    assert.equal(outcome(answer), 'ok')
  }
  assert.equal(outcome(await iago.api.patch('/realm', days)), 'ok')
  for (const message_retention_days of ['unlimited', 'realm_default']) {
    assert.equal(outcome(await iago.api.patch(path, { message_retention_days })), 'ok')
  }
})

test("can't make a stream web-public until the organization allows it", async () => {
  await using w = await world({ streams: { court: {} } })
  const { iago } = w.people
  const refused = 'Web-public channels are not enabled.'
  const path = `/streams/${await w.streamId('court')}`
  assert.equal(outcome(await iago.api.patch(path, { is_web_public: true })), refused)
  assert.equal(outcome(await create(iago, 'yard', { is_web_public: true })), refused)
  assert.equal(outcome(await iago.api.patch(path, { is_web_public: false })), 'ok')
  const state = await iago.api.post('/register', { fetch_event_types: ['realm', 'realm_user'] })
  assert.deepEqual([state.server_web_public_streams_enabled, state.can_create_web_public_streams], [true, false])
  assert.equal(outcome(await iago.api.patch('/realm', { enable_spectator_access: true })), 'ok')
  assert.equal(outcome(await iago.api.patch(path, { is_web_public: true })), 'ok')
  assert.equal(
    (await iago.api.post('/register', { fetch_event_types: ['realm_user'] })).can_create_web_public_streams,
    true,
  )
})

test('announcements go only to streams the administrator can read, and end with the stream', async () => {
  await using w = await world({
    people: { adam: { role: 'administrator' } },
    streams: { crypt: { private: true, members: ['iago'] }, court: {}, gone: {} },
  })
  const { iago, hamlet } = w.people
  const adam = w.person('adam')
  const [crypt, court, gone] = [await w.streamId('crypt'), await w.streamId('court'), await w.streamId('gone')]
  await iago.api.delete(`/streams/${gone}`)
  for (const name of ['new_stream_announcements_stream_id', 'signup_announcements_stream_id']) {
    for (const id of [crypt, gone, 999]) {
      assert.equal(outcome(await adam.api.patch('/realm', { [name]: id })), 'Invalid channel ID')
    }
    assert.equal(outcome(await iago.api.patch('/realm', { [name]: crypt })), 'ok')
    assert.equal(outcome(await adam.api.patch('/realm', { [name]: court })), 'ok')
  }
  await verifyEvents([hamlet, iago], () => iago.api.delete(`/streams/${court}`))
  const state = await hamlet.api.post('/register', { fetch_event_types: ['realm'] })
  assert.equal(state.realm_new_stream_announcements_stream_id, -1)
  assert.equal(state.realm_signup_announcements_stream_id, -1)
  assert.equal((await newAccount(w)).status, 200)
})

test('lets everyone start topics where readers do not see all of them', async () => {
  await using w = await world({ streams: { court: {} } })
  const { iago } = w.people
  const refused = 'In a private channel with protected history, everyone must be able to create topics.'
  const can_create_topic_group = await roleId(w, 'role:moderators')
  const path = `/streams/${await w.streamId('court')}`
  const change = async (params: object) => outcome(await iago.api.patch(path, { ...params }))
  const isPrivate = { is_private: true, history_public_to_subscribers: false }
  assert.equal(await change({ can_create_topic_group }), 'ok')
  assert.equal(await change(isPrivate), refused)
  assert.equal(await change({ is_private: true, history_public_to_subscribers: true }), 'ok')
  assert.equal(await change({ can_create_topic_group: await roleId(w, 'role:everyone') }), 'ok')
  assert.equal(await change({ history_public_to_subscribers: false }), 'ok')
  assert.equal(await change({ can_create_topic_group }), refused)
  assert.equal(outcome(await create(iago, 'ward', { invite_only: true, can_create_topic_group })), refused)
})

test('starting topics includes moving messages into new ones, but not resolving', async () => {
  await using w = await world({ streams: { court: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const moderators = await roleId(w, 'role:moderators')
  const { id } = await hamlet.says('x', { stream: 'court', topic: 'old' })
  await iago.says('x', { stream: 'court', topic: 'other' })
  await iago.api.patch(`/streams/${await w.streamId('court')}`, { can_create_topic_group: moderators })
  const to = async (topic: string) => outcome(await hamlet.api.patch(`/messages/${id}`, { topic }))
  const refused = 'You do not have permission to create new topics in this channel.'
  assert.deepEqual([await to('new'), await to('other'), await to('✔ other')], [refused, 'ok', 'ok'])
  const deliver_at = '2999-01-01'
  const later = { type: 'stream', to: 'court', topic: 'later', content: 'x', deliver_at }
  assert.equal(outcome(await hamlet.api.post('/messages', later)), refused)
})

test("a channel's own permissions need access to its messages", async () => {
  await using w = await world({
    streams: { crypt: { private: true, sharedHistory: true, members: ['hamlet', 'iago'] } },
  })
  const { iago, hamlet, cordelia } = w.people
  const { id } = await hamlet.says('x', { stream: 'crypt', topic: 'old' })
  const path = `/streams/${await w.streamId('crypt')}`
  const can_delete_any_message_group = await roleId(w, 'role:members')
  assert.equal(outcome(await iago.api.patch(path, { can_delete_any_message_group })), 'ok')
  assert.equal(outcome(await cordelia.api.delete(`/messages/${id}`)), 'Invalid message(s)')
  const topic = { topic_name: 'old' }
  assert.equal(outcome(await cordelia.api.post(`${path}/delete_topic`, topic)), 'Invalid stream ID')
  assert.equal(outcome(await hamlet.api.post(`${path}/delete_topic`, topic)), 'ok')
})
