import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiOf } from '../../src/testing/api.ts'
import { type Answer, type World, world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'

const ids = ({ members = [] }: Answer) => members.map(({ user_id }: { user_id: number }) => user_id)

test('lists only the requested users', async () => {
  await using w = await world()
  const { hamlet, iago, polonius } = w.people
  assert.deepEqual(ids(await hamlet.api.get('/users', { user_ids: [iago.id, 999, hamlet.id] })), [iago.id, hamlet.id])
  assert.deepEqual(ids(await hamlet.api.get('/users', { user_ids: [] })), [])
  const members = (await iago.api.get('/user_groups')).user_groups.find(
    (one: { name: string }) => one.name === 'role:members',
  )
  await iago.api.patch('/realm', { can_access_all_users_group: { new: members.id } })
  const { user_id } = await iago.api.post('/users', {
    email: 'x@example.com',
    full_name: 'Horatio',
    password: 'correct horse',
  })
  await iago.api.delete('/users/me/subscriptions', { subscriptions: ['general'], principals: [user_id] })
  const known = await polonius.api.get('/users', { user_ids: [user_id, polonius.id] })
  assert.deepEqual([known.msg, ids(known)], ['', [polonius.id]])
})

test('lists public data of users without an account where spectators are admitted', async () => {
  await using w = await world()
  const anonymous = apiOf(w.chat)
  assert.equal((await anonymous.get('/users')).status, 401)
  await w.iago.api.patch('/realm', { enable_spectator_access: true })
  const answer = await anonymous.get('/users', { include_custom_profile_fields: true })
  assert.equal(answer.status, 200)
  assert.deepEqual(ids(answer), ids(await w.iago.api.get('/users')))
  for (const { delivery_email, email, avatar_url, profile_data, is_imported_stub } of answer.members) {
    assert.deepEqual([delivery_email, profile_data, is_imported_stub], [null, undefined, false])
    assert.match(email, /^user\d+@/)
    assert.equal(typeof avatar_url, 'string')
  }
})

test('administrators set the status of others', async () => {
  await using w = await world()
  const { hamlet, iago, cordelia } = w.people
  const received = await listen(cordelia, ['user_status'])
  const path = `/users/${hamlet.id}/status`
  assert.equal((await iago.api.post(path, { status_text: 'on leave', emoji_name: 'tada' })).msg, '')
  const status = async () => (await cordelia.api.get(path)).status as unknown as Record<string, string>
  const { status_text, emoji_name } = await status()
  assert.deepEqual([status_text, emoji_name], ['on leave', 'tada'])
  await iago.api.post(path, { status_text: '' })
  assert.equal((await status()).emoji_name, 'tada')
  const events = await received()
  assert.deepEqual(
    events.map(({ user_id }: { user_id: number }) => user_id),
    [hamlet.id, hamlet.id],
  )
  for (const [answer, msg] of [
    [await cordelia.api.post(path, { status_text: 'x' }), 'Insufficient permission'],
    [await iago.api.post(path), 'Client did not pass any new values.'],
    [await iago.api.post('/users/999/status', { status_text: 'x' }), 'No such user'],
  ] as const) {
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
})

test("lists a user's channels that the reader may know", async () => {
  await using w = await world({
    streams: { hall: { members: ['hamlet'] }, secret: { private: true, members: ['hamlet', 'cordelia'] } },
  })
  const { hamlet, iago, cordelia, polonius } = w.people
  const channels = async (who: typeof iago, of = hamlet) =>
    (await who.api.get(`/users/${of.id}/channels`)).subscribed_channel_ids
  const [general, hall, secret] = [await w.streamId('general'), await w.streamId('hall'), await w.streamId('secret')]
  assert.deepEqual(await channels(cordelia), [general, hall, secret])
  assert.deepEqual(await channels(iago), [general, hall, secret], 'administrators know of private channels')
  assert.deepEqual(
    await channels(polonius),
    (await channels(polonius, polonius)).filter((id: number) => id === general),
  )
  const { user_id } = await hamlet.api.post('/bots', { full_name: 'Skull', short_name: 'skull' })
  assert.deepEqual((await iago.api.get(`/users/${user_id}/channels`)).subscribed_channel_ids, [])
  assert.equal((await iago.api.get('/users/999/channels')).msg, 'No such user')
})

test('answers the presence of one user in both forms', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  w.clock.advance(250)
  await hamlet.api.post('/users/me/presence', { status: 'active' })
  const now = Math.floor(w.clock.now() / 1000)
  const { presence, server_timestamp } = await iago.api.get(`/users/${hamlet.id}/presence`)
  const status = { status: 'active', timestamp: now }
  assert.deepEqual(presence, { active_timestamp: now, idle_timestamp: now, aggregated: status, website: status })
  assert.equal(Math.floor(server_timestamp), now)
})

test('sends presence in the simple form to clients that know it', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const client_capabilities = { simplified_presence_events: true }
  const { queue_id, presences } = await iago.api.post('/register', { event_types: ['presence'], client_capabilities })
  assert.deepEqual(presences, {})
  const older = await listen(iago, ['presence'])
  await hamlet.api.post('/users/me/presence', { status: 'active' })
  const now = Math.floor(w.clock.now() / 1000)
  const { events } = await iago.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  const simple = { [hamlet.id]: { active_timestamp: now, idle_timestamp: now } }
  assert.deepEqual(
    events.map(({ id: _, ...event }: { id: number }) => event),
    [{ type: 'presence', presences: simple }],
  )
  const [event] = await older()
  assert.deepEqual(Object.keys(event).sort(), ['email', 'presence', 'server_timestamp', 'type', 'user_id'])
  assert.deepEqual(Object.keys(event.presence), ['website'])
  assert.equal(event.server_timestamp, now)
  const again = await iago.api.post('/register', { fetch_event_types: ['presence'], client_capabilities })
  assert.deepEqual(again.presences, simple)
})

const settings = async (w: World, name: 'hamlet' | 'cordelia' | 'iago') =>
  (await w.people[name].api.post('/register', { fetch_event_types: ['user_settings'] })).user_settings

test('administrators change settings of others, and skip those who chose themselves', async () => {
  await using w = await world()
  const { hamlet, iago, cordelia } = w.people
  const received = await listen(cordelia, ['user_settings'])
  await hamlet.api.patch('/settings', { enter_sends: true })
  await hamlet.api.patch('/settings', { enter_sends: false })
  const everyone = { user_ids: [hamlet.id, cordelia.id], skip_if_already_edited: true }
  const change = (target_users: object, more: object = { enter_sends: true, high_contrast_mode: true }) =>
    iago.api.patch('/settings', { target_users, ...more, full_name: 'Nobody' })
  assert.equal((await change(everyone)).msg, '')
  const both = async (name: 'hamlet' | 'cordelia' | 'iago') => {
    const { enter_sends, high_contrast_mode } = await settings(w, name)
    return [enter_sends, high_contrast_mode]
  }
  assert.deepEqual(
    [await both('hamlet'), await both('cordelia'), await both('iago')],
    [
      [false, true],
      [true, true],
      [false, false],
    ],
  )
  assert.deepEqual(
    (await received()).filter(({ type }: { type: string }) => type === 'user_settings').map(({ property }) => property),
    ['high_contrast_mode', 'enter_sends'].sort().reverse(),
  )
  const { group_id } = await iago.api.post('/user_groups/create', {
    name: 'crew',
    description: '',
    members: [hamlet.id],
  })
  await change({ group_ids: [group_id], skip_if_already_edited: false })
  assert.deepEqual(await both('hamlet'), [true, true])
  assert.equal((await iago.api.get(`/users/${hamlet.id}`)).user.full_name, 'hamlet')
  // What an administrator set is not their own choice.
  await change({ user_ids: [cordelia.id], skip_if_already_edited: true }, { enter_sends: false })
  assert.deepEqual(await both('cordelia'), [false, true])
  const none = 'Either user_ids or group_ids must be provided.'
  const own = 'Cannot change this setting for other users.'
  for (const [answer, msg] of [
    [await change({ user_ids: [], skip_if_already_edited: true }), none],
    [await change(everyone, { send_read_receipts: false }), own],
    [await change(everyone, { timezone: 'Europe/Berlin' }), own],
    [await change({ user_ids: [999], skip_if_already_edited: true }), 'Invalid user ID: 999'],
    [await change({ group_ids: [999], skip_if_already_edited: true }), 'Invalid user group ID: 999'],
    [
      await hamlet.api.patch('/settings', { target_users: everyone, enter_sends: true }),
      'Must be an organization administrator',
    ],
  ] as const) {
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
})

test('shows administrators as moderators', async () => {
  await using w = await world({ people: { mod: { role: 'moderator' } } })
  const isModerator = async (name: 'mod' | 'iago' | 'hamlet') =>
    (await w.person(name).api.post('/register', { fetch_event_types: ['realm'] })).is_moderator
  assert.deepEqual(
    [await isModerator('mod'), await isModerator('iago'), await isModerator('hamlet')],
    [true, true, false],
  )
})
