import assert from 'node:assert/strict'
import test from 'node:test'
import { getEvents } from '../../../src/core/events/queues/poll.ts'
import { register } from '../../../src/core/events/queues/register.ts'
import { type Answer, apiOf, type Person, type World, world } from '../../../src/testing/index.ts'
import { onePixelPng } from '../../fixtures/images.ts'
import { set } from '../../messages/listen.ts'
import { appSecrets, PUSH_SERVICE, pushService } from '../../push/device.ts'
import { appAnswers } from './answers.ts'
import { appEvents, decodeEvent } from './events.ts'
import { appRegistration, decodeRegistration } from './register.ts'
import { strict } from './strict.ts'

// Our answers and events, read as the official app of August 2026 reads them. events/state-equality reads the events of
// random operations in the same way.

/** An organization with something of every kind that the app gets when it registers. */
async function furnished() {
  const w = await world({
    people: { bot: { bot: true }, gone: {} },
    streams: { crew: { members: ['iago', 'hamlet', 'cordelia'] }, hidden: { private: true, members: ['iago'] } },
    chat: { pushService: PUSH_SERVICE, outgoing: { post: pushService().post } },
  })
  const { iago, hamlet, cordelia } = w.people
  await set(w, 'topics_policy', 'allow_empty_topic')
  await set(w, 'can_delete_own_message_group', 'role:everyone')
  await set(w, 'moderation_request_channel_id', await w.streamId('hidden'))
  const { channel_folder_id } = await iago.api.post('/channel_folders/create', { name: 'Work', description: '*Busy*' })
  await iago.api.patch(`/streams/${await w.streamId('crew')}`, { folder_id: channel_folder_id })
  const { id: pet } = await iago.api.post('/realm/profile_fields', { name: 'Pet', field_type: 1 })
  await hamlet.api.patch('/users/me/profile_data', { data: [{ id: pet, value: 'Rat' }] })
  await iago.api.upload('/realm/emoji/blob', onePixelPng())
  const { group_id } = await iago.api.post('/user_groups/create', {
    name: 'actors',
    description: '',
    members: [hamlet.id],
  })
  await iago.api.post(`/user_groups/${group_id}/deactivate`)
  await iago.api.delete(`/users/${w.person('gone').id}`)
  await hamlet.api.post('/users/me/status', { status_text: 'brooding', emoji_name: 'skull' })
  await hamlet.api.post('/users/me/presence', { status: 'active' })
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['ghost'] })
  await hamlet.api.post(`/users/me/muted_users/${w.person('bot').id}`)
  await hamlet.api.post('/saved_snippets', { title: 'Thanks', content: 'Thank you' })
  const stream_id = await w.streamId('general')
  await hamlet.api.post('/user_topics', { stream_id, topic: 'plot', visibility_policy: 3 })
  await hamlet.api.post('/register_client_device')
  const star = await cordelia.says('@**hamlet** hello', { topic: '' })
  await hamlet.api.post('/messages/flags', { messages: [star.id], op: 'add', flag: 'starred' })
  await cordelia.says('psst', { people: [hamlet] })
  await cordelia.says('psst', { people: [hamlet, iago] })
  await cordelia.says('nothing but [a link](https://example.com)', { topic: 'plot' })
  return w
}

test('registers with the official app, which finds everything that it needs', async () => {
  await using w = await furnished()
  for (const name of ['iago', 'hamlet', 'polonius']) {
    const { api, id } = w.person(name)
    const state = await api.post('/register', { ...appRegistration, idle_queue_timeout: 'mobile' })
    assert.equal(state.status, 200)
    decodeRegistration(state, id)
    assert.equal(state.idle_queue_timeout_secs, 43_200)
  }
  const state = await w.people.hamlet.api.post('/register', appRegistration)
  // Empty lists would prove nothing.
  for (const name of [
    ...['alert_words', 'starred_messages', 'custom_profile_fields', 'muted_users', 'realm_user_groups', 'user_topics'],
    ...['recent_private_conversations', 'subscriptions', 'streams', 'realm_users', 'realm_non_active_users'],
    ...['cross_realm_bots', 'presences', 'realm_emoji', 'user_status', 'saved_snippets', 'channel_folders', 'devices'],
    ...['realm_default_external_accounts', 'server_report_message_types', 'server_thumbnail_formats'],
  ]) {
    assert.ok(Object.keys(state[name]).length > 0, name)
  }
  const { pms, streams, huddles, mentions } = state.unread_msgs
  for (const list of [pms, streams, huddles, mentions]) assert.ok(list.length > 0)
})

type Operation = keyof typeof appAnswers

/** Sends the app's requests, and reads each answer. Returns which operations were used. */
function appOf(w: World, who: Person) {
  const used = new Set<Operation>()
  const read = (operation: Operation, answer: Answer) => {
    assert.equal(answer.status, 200, `${operation}: ${answer.msg}`)
    appAnswers[operation](answer, operation)
    used.add(operation)
    return answer
  }
  const send = async (operation: Operation, params: object = {}, ...parts: readonly (string | number)[]) => {
    const rest = [...parts]
    const [method, path] = operation.split(' ') as [string, string]
    const api = path === '/server_settings' || path === '/fetch_api_key' ? apiOf(w.chat) : who.api
    const where = path.replace(/\{\w+\}/g, () => String(rest.shift()))
    return read(operation, await api[method.toLowerCase() as 'get'](where, { ...params }))
  }
  return { used, read, send }
}

test('answers every request of the official app with what it reads', async () => {
  await using w = await furnished()
  const { hamlet, iago } = w.people
  const { used, read, send } = appOf(w, hamlet)
  const channel = await w.streamId('general')
  await send('GET /server_settings')
  await send('POST /fetch_api_key', { username: hamlet.email, password: hamlet.password })
  await send('GET /users/me')

  const window = { num_before: 100, num_after: 100, allow_empty_topic_name: true }
  for (const narrow of [
    [],
    [{ operator: 'channel', operand: channel }],
    [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: '' },
    ],
    [{ operator: 'dm', operand: [iago.id] }],
    [{ operator: 'is', operand: 'mentioned' }],
    [{ operator: 'is', operand: 'starred' }],
    [{ operator: 'search', operand: 'link' }],
  ]) {
    for (const anchor of ['newest', 'oldest', 'first_unread'])
      await send('GET /messages', { ...window, anchor, narrow })
  }
  const place = { type: 'channel', to: channel, topic: 'plot' }
  const { id } = await send('POST /messages', { ...place, content: 'to be', read_by_sender: true })
  await send('POST /messages', { type: 'direct', to: [iago.id], content: 'psst' })
  await send('PATCH /messages/{id}', { content: 'or not to be' }, id)
  await send('POST /messages/{id}/reactions', smile, id)
  await send('GET /messages/{id}', { allow_empty_topic_name: true }, id)
  await send('DELETE /messages/{id}/reactions', smile, id)
  await send('GET /messages/{id}/read_receipts', {}, id)
  await send('POST /messages/{id}/report', { report_type: 'spam' }, id)
  const window2 = { anchor: 'oldest', num_before: 0, num_after: 1000, include_anchor: true }
  await send('POST /messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await send('POST /messages/flags/narrow', { ...window2, narrow: [], op: 'add', flag: 'read' })
  await send('POST /submessage', { message_id: id, msg_type: 'widget', content: '{}' })
  await send('POST /typing', { type: 'stream', op: 'start', stream_id: channel, topic: 'plot' })
  await send('DELETE /messages/{id}', {}, id)

  const { device_id } = await send('POST /register_client_device')
  const { token, keyFields, tokenFields } = appSecrets()
  await send('POST /mobile_push/register', { device_id, ...keyFields, ...tokenFields })
  await send('POST /remove_client_device', { device_id })
  await send('POST /users/me/apns_device_token', { token, appid: 'org.example.app' })
  await send('DELETE /users/me/apns_device_token', { token })
  await send('POST /users/me/android_gcm_reg_id', { token })
  await send('DELETE /users/me/android_gcm_reg_id', { token })

  await send('POST /saved_snippets', { title: 'Hello', content: 'Hello' })
  await send('PATCH /settings', { twenty_four_hour_time: true })
  await send('POST /user_topics', { stream_id: channel, topic: 'plot', visibility_policy: 1 })
  const { url } = read('POST /user_uploads', await hamlet.api.upload('/user_uploads', onePixelPng(), 'a.png'))
  const [, , realm, ...rest] = url.split('/')
  await send('GET /user_uploads/{id}/{path}', {}, realm, rest.join('/'))
  const presence = { status: 'active', slim_presence: true, last_update_id: -1, new_user_input: true }
  await send('POST /users/me/presence', presence)
  await send('POST /users/me/status', { status_text: '', emoji_name: '' })
  const crew = await w.streamId('crew')
  await send('DELETE /users/me/subscriptions', { subscriptions: ['crew'] })
  await send('POST /users/me/subscriptions', { subscriptions: [{ name: 'crew' }] })
  await send('POST /users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: crew, property: 'pin_to_top', value: true }],
  })
  await send('GET /users/me/{id}/topics', { allow_empty_topic_name: true }, channel)
  assert.deepEqual([...used].sort(), Object.keys(appAnswers).sort())
})
const smile = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' }

/** Causes an event of each type that the app reads. */
async function busyDay(w: World, queue_id: string) {
  const { hamlet, cordelia } = w.people
  const [owner, own, other] = [strict(w.people.iago), strict(hamlet), strict(cordelia)]
  const channel = await w.streamId('general')
  const crew = await w.streamId('crew')
  await own.post('/users/me/alert_words', { alert_words: ['poison'] })
  const { channel_folder_id } = await owner.post('/channel_folders/create', { name: 'Fun', description: '' })
  await owner.patch(`/channel_folders/${channel_folder_id}`, { description: 'Plays' })
  await owner.patch('/channel_folders', { order: [channel_folder_id, channel_folder_id - 1] })
  await owner.patch(`/streams/${crew}`, { folder_id: channel_folder_id })
  await owner.patch(`/streams/${crew}`, { topics_policy: 'allow_empty_topic', description: 'The crew' })
  await owner.patch(`/streams/${crew}`, {
    can_send_message_group: { new: { direct_members: [w.people.iago.id], direct_subgroups: [] } },
  })
  await owner.post('/realm/profile_fields', { name: 'Play', field_type: 1 })
  const { device_id } = await own.post('/register_client_device')
  const { keyFields, tokenFields } = appSecrets()
  await own.post('/mobile_push/register', { device_id, ...keyFields, ...tokenFields })
  await own.post('/remove_client_device', { device_id })
  const echoed = { type: 'channel', to: channel, topic: '', content: 'hello', queue_id, local_id: '1.01' }
  const { id } = await own.post('/messages', echoed)
  await own.patch(`/messages/${id}`, { content: '@**cordelia** hello' })
  await own.patch(`/messages/${id}`, { topic: 'plot', send_notification_to_new_thread: false })
  await owner.patch(`/messages/${id}`, { stream_id: crew, topic: 'plot', propagate_mode: 'change_all' })
  await other.post(`/messages/${id}/reactions`, smile)
  await other.delete(`/messages/${id}/reactions`, smile)
  await other.post('/typing', { op: 'start', to: [hamlet.id] })
  await other.post('/typing', { type: 'stream', op: 'start', stream_id: channel, topic: 'plot' })
  const direct = await cordelia.says('psst', { people: [hamlet] })
  const messages = [id, direct.id]
  for (const op of ['add', 'remove']) await own.post('/messages/flags', { messages, op, flag: 'read' })
  await own.post('/submessage', { message_id: id, msg_type: 'widget', content: '{}' })
  await other.delete(`/messages/${direct.id}`)
  await owner.delete(`/messages/${id}`)
  await own.post(`/users/me/muted_users/${cordelia.id}`)
  await other.post('/users/me/presence', { status: 'active', ping_only: true })
  await owner.delete('/realm/emoji/blob')
  await owner.upload('/realm/emoji/party', onePixelPng())
  await other.patch('/settings', { full_name: 'Cordelia of Britain' })
  await owner.post('/users', { email: 'ann@example.com', full_name: 'Ann', password: 'correct horse' })
  await owner.delete(`/users/${w.person('polonius').id}`)
  await own.post('/saved_snippets', { title: 'Bye', content: 'Bye' })
  await own.patch('/saved_snippets/1', { title: 'Thank you' })
  await own.delete('/saved_snippets/1')
  await owner.post('/channels/create', { name: 'Fresh', subscribers: [hamlet.id] })
  await own.delete('/users/me/subscriptions', { subscriptions: ['Fresh'] })
  await other.post('/users/me/subscriptions', { subscriptions: [{ name: 'Fresh' }] })
  await other.delete('/users/me/subscriptions', { subscriptions: ['Fresh'] })
  const data = { stream_id: crew, property: 'color', value: '#ABCDEF' }
  await own.post('/users/me/subscriptions/properties', { subscription_data: [data] })
  await own.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: crew, property: 'is_muted', value: true }],
  })
  await owner.delete(`/streams/${await w.streamId('Fresh')}`)
  const group = { name: 'players', description: '', members: [hamlet.id] }
  const { group_id } = await owner.post('/user_groups/create', group)
  await owner.patch(`/user_groups/${group_id}`, { description: 'On stage' })
  await owner.post(`/user_groups/${group_id}/members`, { add: [cordelia.id], delete: [hamlet.id] })
  const [nested] = (await owner.get('/user_groups')).user_groups as { id: number; name: string }[]
  await owner.post(`/user_groups/${group_id}/subgroups`, { add: [nested!.id] })
  await owner.post(`/user_groups/${group_id}/subgroups`, { delete: [nested!.id] })
  await owner.post(`/user_groups/${group_id}/deactivate`)
  await own.patch('/settings', { twenty_four_hour_time: true })
  await other.post('/users/me/status', { status_text: 'away', emoji_name: 'car' })
  await own.post('/user_topics', { stream_id: channel, topic: 'play', visibility_policy: 2 })
}

test('sends the official app every event in a form that it reads', async () => {
  await using w = await furnished()
  const { hamlet } = w.people
  const { queue_id, last_event_id } = await register(hamlet, appRegistration)
  await busyDay(w, queue_id!)
  const { events } = await getEvents(hamlet, { queue_id: queue_id!, last_event_id, dont_block: true })
  for (const event of events) decodeEvent(event)
  const types = new Set<string>(events.map(({ type }) => type))
  // A heartbeat comes only while nothing else does.
  assert.deepEqual(
    Object.keys(appEvents).filter((type) => !types.has(type)),
    ['heartbeat'],
  )
  const echoes = events.flatMap((event) => ('local_message_id' in event ? [event.local_message_id] : []))
  assert.deepEqual(echoes, ['1.01'])
})
