import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createApp } from '../../src/http/app.ts'
import { apiOf } from '../../src/testing/api.ts'
import { type Answer, type World, world } from '../../src/testing/index.ts'
import { fetchAs, statusFor, upload } from '../files/files.ts'

// What people without an account read, and what they do not.

/** The stream market is web-public, hall is public; hamlet has written in both, and to iago. */
async function scene(): Promise<World> {
  const w = await world({ streams: { market: { members: ['hamlet', 'iago'] }, hall: { members: ['hamlet'] } } })
  await w.iago.api.patch('/realm', { enable_spectator_access: true })
  await w.iago.api.patch(`/streams/${await w.streamId('market')}`, { is_web_public: true })
  await w.hamlet.says('open words', { stream: 'market', topic: 'plot' })
  await w.hamlet.says('own words', { stream: 'hall', topic: 'plot' })
  await w.hamlet.says('secret words', { people: [w.iago] })
  return w
}

const newest = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false }
const contents = ({ messages }: Answer) => messages?.map(({ content }: { content: string }) => content)
const notLoggedIn = { code: 'UNAUTHORIZED', status: 401 }

test('reads web-public streams without an account when the narrow asks for them', async () => {
  await using w = await scene()
  const api = apiOf(w.chat)
  const read = (...narrow: unknown[]) => api.get('/messages', { ...newest, narrow })
  const channel = await w.streamId('market')
  for (const place of [
    ['channels', 'web-public'],
    ['streams', 'web-public'],
    ['channel', 'market'],
    ['stream', channel],
  ]) {
    assert.deepEqual(contents(await read(place))?.at(-1), 'open words', String(place))
    assert.deepEqual(contents(await read(place, ['topic', 'plot'])), ['open words'], String(place))
    assert.deepEqual(contents(await read(place, ['search', 'words'], ['has', 'reaction'])), [], String(place))
  }
  for (const narrow of [
    [],
    [['topic', 'plot']],
    [['channels', 'public']],
    [{ operator: 'channels', operand: 'web-public', negated: true }],
    [
      ['channels', 'web-public'],
      ['is', 'starred'],
    ],
    [
      ['channel', 'market'],
      ['dm', [w.hamlet.id]],
    ],
    [['is', 'dm']],
  ]) {
    const { code, status } = await read(...narrow)
    assert.deepEqual({ code, status }, notLoggedIn, JSON.stringify(narrow))
  }
  const unseen = await read(['channel', 'hall'])
  assert.deepEqual(unseen, await read(['channel', 'nowhere']))
  assert.equal(unseen.code, 'BAD_NARROW')
  const { topics } = await api.get(`/users/me/${channel}/topics`)
  assert.deepEqual(
    topics.map((topic: { name: string }) => topic.name),
    ['plot', 'channel events'],
  )
  assert.equal((await api.get(`/users/me/${await w.streamId('hall')}/topics`)).msg, 'Invalid stream ID')
})

test('hides addresses and flags from people without an account', async () => {
  await using w = await scene()
  const api = apiOf(w.chat)
  const { messages } = await api.get('/messages', { ...newest, narrow: [['channel', 'market']] })
  const { message } = await api.get(`/messages/${messages.at(-1).id}`, { apply_markdown: false })
  assert.deepEqual(message, messages.at(-1))
  const { sender_email, sender_full_name, sender_id, flags } = message
  assert.deepEqual([sender_full_name, sender_id, flags], ['hamlet', w.hamlet.id, ['read']])
  assert.equal(sender_email, `user${w.hamlet.id}@${new URL(w.chat.options.publicUrl).hostname}`)
})

test('registers people without an account with public data only and no queue', async () => {
  await using w = await scene()
  const { hamlet, iago } = w
  await iago.api.post('/realm/profile_fields', { name: 'Secret hobby', field_type: 1 })
  await hamlet.api.post('/users/me/status', { status_text: 'brooding' })
  await hamlet.api.post('/users/me/presence', { status: 'active' })
  await hamlet.api.patch('/settings', { timezone: 'Europe/Copenhagen' })
  const api = apiOf(w.chat)
  const state = await api.post('/register', {
    include_subscribers: true,
    client_capabilities: { user_settings_object: true },
    narrow: [['channel', 'hall']],
  })
  assert.deepEqual([state.status, state.queue_id, state.last_event_id], [400, undefined, undefined])
  const asked = { include_subscribers: true, client_capabilities: { user_settings_object: true } }
  const shown = await api.post('/register', asked)
  assert.deepEqual([shown.queue_id, shown.last_event_id, shown.user_id, shown.is_guest], [null, -1, 0, true])
  const names = (list: { name: string }[]) => list.map(({ name }) => name)
  assert.deepEqual(names(shown.streams), ['market'])
  assert.deepEqual(names(shown.subscriptions), ['market'])
  assert.equal('subscribers' in shown.subscriptions[0], false)
  assert.deepEqual([shown.unsubscribed, shown.never_subscribed, shown.realm_default_streams], [[], [], []])
  // Nothing here is about people, but that they are there.
  for (const name of ['presences', 'user_status', 'devices']) assert.deepEqual(shown[name], {}, name)
  for (const name of [
    ...['alert_words', 'custom_profile_fields', 'drafts', 'muted_topics', 'muted_users', 'onboarding_steps'],
    ...['realm_bots', 'recent_private_conversations', 'saved_snippets', 'scheduled_messages', 'starred_messages'],
    ...['navigation_views', 'reminders'],
    'user_topics',
  ]) {
    assert.deepEqual(shown[name], [], name)
  }
  assert.deepEqual([shown.unread_msgs.count, shown.max_message_id], [0, -1])
  for (const group of shown.realm_user_groups) assert.deepEqual(group.members, [])
  for (const name of [
    'can_create_streams',
    'can_create_web_public_streams',
    'can_invite_others_to_realm',
    'is_admin',
  ]) {
    assert.equal(shown[name], false, name)
  }
  const person = shown.realm_users.find((user: { user_id: number }) => user.user_id === hamlet.id)
  assert.deepEqual(
    [person.full_name, person.delivery_email, person.timezone, person.profile_data],
    ['hamlet', null, '', {}],
  )
  assert.match(person.date_joined, /T00:00/)
  const text = JSON.stringify(shown)
  for (const hidden of [hamlet.email, iago.email, 'brooding', 'Secret hobby', 'Copenhagen', '"hall"']) {
    assert.equal(text.includes(hidden), false, hidden)
  }
  assert.equal(shown.realm_enable_spectator_access, true)
  const { db } = storeOf(w.chat)
  const queues = await db.selectFrom('queue').select('id').execute()
  assert.deepEqual(queues, [])
})

test('shows people without an account only the people whom they meet in web-public channels', async () => {
  const people = { creator: {}, early: {}, author: {}, fan: {}, voter: {}, moved: {}, left: {}, reader: {}, hidden: {} }
  await using w = await world({ people, streams: { hall: { members: ['hamlet', 'hidden', 'moved'] } } })
  const { iago } = w.people
  const person = (name: string) => w.person(name)
  await iago.api.patch('/realm', { enable_spectator_access: true })
  const { id: market } = await person('creator').api.post('/channels/create', {
    name: 'market',
    subscribers: ['early', 'author', 'fan', 'voter', 'left', 'reader'].map((name) => person(name).id),
  })
  await iago.api.patch(`/streams/${market}`, { is_web_public: true })
  const there = { stream: 'market', topic: 'plot' }
  const { id } = await person('author').says('/poll Who?\nme\nyou', there)
  await person('fan').api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await person('voter').api.post('/submessage', {
    message_id: id,
    msg_type: 'widget',
    content: '{"type":"vote","key":"canned,0","vote":1}',
  })
  await person('left').says('farewell', there)
  await iago.api.delete(`/users/${person('left').id}`)
  const { id: elsewhere } = await person('moved').says('here', { stream: 'hall', topic: 'plot' })
  await person('hidden').says('own words', { stream: 'hall', topic: 'plot' })
  await person('hidden').api.post(`/messages/${elsewhere}/reactions`, { emoji_name: 'tada' })
  const named = async (list: 'realm_users' | 'realm_non_active_users') => {
    const state = await apiOf(w.chat).post('/register', { fetch_event_types: ['realm_user'] })
    return state[list].map(({ full_name }: { full_name: string }) => full_name)
  }
  assert.deepEqual(await named('realm_users'), ['creator', 'author', 'fan', 'voter'])
  assert.deepEqual(await named('realm_non_active_users'), ['left'])
  const state = await apiOf(w.chat).post('/register', { fetch_event_types: ['realm_user'] })
  assert.ok(state.cross_realm_bots.length > 0)
  // A message brings its sender and the people who reacted into sight.
  await iago.api.patch(`/messages/${elsewhere}`, { stream_id: market, send_notification_to_new_thread: false })
  assert.deepEqual(await named('realm_users'), ['creator', 'author', 'fan', 'voter', 'moved', 'hidden'])
  await iago.api.delete(`/messages/${elsewhere}`)
  assert.deepEqual(await named('realm_users'), ['creator', 'author', 'fan', 'voter'])
  // Of a long channel, the newest 200 messages count.
  await Promise.all(Array.from({ length: 200 }, (_, i) => person('early').says(String(i), there)))
  assert.deepEqual(await named('realm_users'), ['creator', 'early'])
  assert.deepEqual(await named('realm_non_active_users'), [])
  await iago.api.delete(`/streams/${market}`)
  assert.deepEqual(await named('realm_users'), [])
})

test('shows no users to people without an account where guests have limited access', async () => {
  await using w = await scene()
  const groups = (await w.iago.api.get('/user_groups')).user_groups as { id: number; name: string }[]
  const members = groups.find(({ name }) => name === 'role:members')!.id
  await w.iago.api.patch('/realm', { can_access_all_users_group: { new: members } })
  const api = apiOf(w.chat)
  const { realm_users } = await api.post('/register', { fetch_event_types: ['realm_user'] })
  assert.deepEqual(realm_users, [])
  const { messages } = await api.get('/messages', { ...newest, narrow: [['channel', 'market']] })
  assert.equal(messages.at(-1).sender_full_name, 'Unknown user')
})

test('serves files of web-public messages and avatars by id to everyone', async () => {
  await using w = await scene()
  const { hamlet } = w
  const open = await upload(hamlet)
  const own = await upload(hamlet)
  await hamlet.says(`[it](${open})`, { stream: 'market', topic: 'files' })
  await hamlet.says(`[it](${own})`, { stream: 'hall', topic: 'files' })
  assert.deepEqual([await statusFor(w, undefined, open), await statusFor(w, undefined, own)], [200, 403])
  const { url } = await apiOf(w.chat).get(open)
  assert.equal(await statusFor(w, undefined, url), 200)
  const avatar = await fetchAs(w, undefined, `/avatar/${hamlet.id}`)
  assert.equal(avatar.status, 302)
  assert.equal(await statusFor(w, undefined, `/avatar/${hamlet.email}`), 401)
})

test('rejects everything else, and everything when the organization requires accounts', async () => {
  await using w = await scene()
  const api = apiOf(w.chat)
  const { messages } = await api.get('/messages', { ...newest, narrow: [['channel', 'market']] })
  const { id } = messages.at(-1)
  const others = await Promise.all([
    api.get(`/users/${w.hamlet.id}`),
    api.get('/streams'),
    api.get(`/messages/${id}/read_receipts`),
    api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
    api.post('/messages', { type: 'stream', to: 'market', topic: 'plot', content: 'mine' }),
    api.get('/events', { queue_id: 'x', last_event_id: -1 }),
    api.get('/realm/presence'),
  ])
  for (const { code, status } of others) assert.deepEqual({ code, status }, notLoggedIn)
  assert.equal((await api.get('/server_settings')).realm_web_public_access_enabled, true)
  await w.iago.api.patch('/realm', { enable_spectator_access: false })
  assert.equal((await api.get('/server_settings')).realm_web_public_access_enabled, false)
  const now = [
    await api.get('/messages', { ...newest, narrow: [['channel', 'market']] }),
    await api.get(`/messages/${id}`),
    await api.post('/register'),
  ]
  for (const { code, status } of now) assert.deepEqual({ code, status }, notLoggedIn)
})

test('hides archived streams from people without an account', async () => {
  await using w = await scene()
  const api = apiOf(w.chat)
  const channel = await w.streamId('market')
  const { messages } = await api.get('/messages', { ...newest, narrow: [['channel', channel]] })
  await w.iago.api.delete(`/streams/${channel}`)
  assert.equal((await api.get(`/messages/${messages.at(-1).id}`)).msg, 'Invalid message(s)')
  assert.equal((await api.get('/messages', { ...newest, narrow: [['channel', channel]] })).code, 'BAD_NARROW')
  assert.deepEqual((await api.post('/register')).streams, [])
})

test('rate-limits people without an account by address', async () => {
  await using w = await scene()
  const app = createApp({ chat: w.chat, rateLimits: { address: { requests: 2, seconds: 60 } } })
  const narrow = encodeURIComponent(JSON.stringify([['channels', 'web-public']]))
  const ask = async () =>
    (
      await app.fetch(
        new Request(`http://localhost/api/v1/messages?anchor=newest&num_before=1&num_after=0&narrow=${narrow}`),
      )
    ).status
  assert.deepEqual([await ask(), await ask(), await ask()], [200, 200, 429])
})

test("reads for people without an account can't write", async () => {
  await using w = await scene()
  const { callerOf } = await import('../../src/core/kernel/context.ts')
  const { spectator } = await import('../../src/core/kernel/spectator.ts')
  await assert.rejects(
    callerOf(w.chat, spectator).write(async () => {}),
    { code: 'USER_DEACTIVATED' },
  )
})
