import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, type World, world } from '../../../src/testing/index.ts'
import { onePixelPng } from '../../fixtures/images.ts'
import { set } from '../../messages/listen.ts'
import {
  all,
  bool,
  choose,
  type Decode,
  int,
  listOf,
  mapOf,
  matching,
  nullable,
  number,
  oneOf,
  shape,
  text,
} from './decode.ts'
import { strict } from './strict.ts'

// What zulip-terminal needs, a client that declares no capability and knows no level above 200: without one of these it
// doesn't start, or an event raises an exception.

const ids = listOf(int)
const user = shape({ user_id: int, full_name: text, email: text, is_bot: bool })
const unread = { unread_message_ids: ids }
const client = shape({ status: oneOf('active', 'idle', 'offline'), timestamp: number })
const registered = shape({
  ...{ result: oneOf('success'), queue_id: text, last_event_id: int, max_message_id: int, zulip_version: text },
  ...{ user_id: int, email: text, full_name: text, realm_name: text, realm_message_retention_days: nullable(int) },
  starred_messages: ids,
  realm_users: listOf(user),
  cross_realm_bots: listOf(shape({ user_id: int, email: text, full_name: text })),
  presences: mapOf(all(mapOf(client), shape({ aggregated: client })), /@/),
  subscriptions: listOf(
    shape({
      ...{ stream_id: int, name: text, description: text, rendered_description: text, invite_only: bool },
      ...{ pin_to_top: bool, is_muted: bool, color: matching(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i), subscribers: ids },
      ...{ desktop_notifications: nullable(bool), message_retention_days: nullable(int), date_created: int },
      ...{ history_public_to_subscribers: bool, stream_weekly_traffic: nullable(int) },
      stream_post_policy: oneOf(1, 2, 3, 4),
    }),
  ),
  muted_topics: listOf((value, path) => {
    const [name, topic, time, ...rest] = value as unknown[]
    shape({ name: text, topic: text, time: int })({ name, topic, time }, path)
    assert.deepEqual(rest, [], path)
  }),
  realm_user_groups: listOf(shape({ id: int, name: text })),
  unread_msgs: shape({
    mentions: ids,
    pms: listOf(shape({ sender_id: int, ...unread })),
    streams: listOf(shape({ stream_id: int, topic: text, ...unread })),
    huddles: listOf(shape({ user_ids_string: text, ...unread })),
  }),
  realm_emoji: mapOf(shape({ name: text, deactivated: bool })),
  user_settings: shape({
    ...{ send_private_typing_notifications: bool, twenty_four_hour_time: bool },
    pm_content_in_desktop_notifications: bool,
  }),
  custom_profile_fields: listOf(shape({ id: int, name: text, type: int, order: int })),
  ...{ realm_allow_message_editing: bool, realm_allow_edit_history: bool },
  realm_message_content_edit_limit_seconds: nullable(int),
})

const message = all(
  shape({
    ...{ id: int, sender_id: int, timestamp: int, type: oneOf('stream', 'private'), content: text },
    ...{ sender_full_name: text, sender_email: text, is_me_message: bool },
    reactions: listOf(shape({ emoji_name: text, emoji_code: text, reaction_type: text, user_id: int })),
  }),
  choose(({ type }) =>
    type === 'stream'
      ? shape({ stream_id: int, display_recipient: text, subject: text })
      : shape({ display_recipient: listOf(shape({ id: int, email: text, full_name: text })) }),
  ),
)

const peers = shape({ stream_ids: ids, user_ids: ids })
const events: Readonly<Record<string, Decode>> = {
  message: shape({ message, flags: listOf(text) }),
  update_message: all(
    shape({ message_id: int }),
    choose(({ subject, rendered_content }) =>
      all(
        subject === undefined ? () => {} : shape({ stream_id: int, orig_subject: text, message_ids: ids }),
        rendered_content === undefined ? () => {} : shape({ is_me_message: bool }),
      ),
    ),
  ),
  reaction: shape({
    ...{ op: oneOf('add', 'remove'), message_id: int, emoji_code: text, emoji_name: text, reaction_type: text },
    user_id: int,
  }),
  submessage: shape({ message_id: int, msg_type: text, submessage_id: int, sender_id: int, content: text }),
  subscription: choose(({ op }) =>
    op === 'update'
      ? shape({ stream_id: int, property: text, value: (value) => assert.notEqual(value, undefined) })
      : op === 'peer_add' || op === 'peer_remove'
        ? peers
        : () => {},
  ),
  typing: shape({ op: oneOf('start', 'stop'), sender: shape({ user_id: int, email: text }) }),
  update_message_flags: shape({
    ...{ op: oneOf('add', 'remove'), operation: oneOf('add', 'remove'), flag: text, messages: ids, all: bool },
  }),
  user_settings: shape({ op: oneOf('update'), property: text }),
  realm_emoji: shape({ realm_emoji: mapOf(shape({ name: text, deactivated: bool })) }),
  realm_user: choose(({ op }) =>
    op === 'update' ? shape({ person: shape({ user_id: int }) }) : shape({ person: user }),
  ),
}

const registration = {
  apply_markdown: true,
  client_gravatar: true,
  include_subscribers: true,
  event_types: Object.keys(events),
  fetch_event_types: [
    ...['realm', 'presence', 'subscription', 'message', 'starred_messages', 'update_message_flags', 'muted_topics'],
    ...['realm_user', 'realm_user_groups', 'user_settings', 'realm_emoji', 'custom_profile_fields', 'zulip_version'],
  ],
}

async function scene(): Promise<World> {
  const w = await world({ streams: { crew: { members: ['iago', 'hamlet', 'cordelia'] } } })
  const { iago, hamlet, cordelia } = w.people
  await set(w, 'topics_policy', 'allow_empty_topic')
  await iago.api.post('/realm/profile_fields', { name: 'Pet', field_type: 1 })
  await iago.api.upload('/realm/emoji/blob', onePixelPng())
  await iago.api.post('/user_groups/create', { name: 'actors', description: '', members: [hamlet.id] })
  await cordelia.api.post('/users/me/presence', { status: 'active' })
  const stream_id = await w.streamId('general')
  await hamlet.api.post('/user_topics', { stream_id, topic: 'plot', visibility_policy: 1 })
  const { id } = await cordelia.says('@**hamlet** hello', { topic: '' })
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await cordelia.says('psst', { people: [hamlet] })
  await cordelia.says('psst', { people: [hamlet, iago] })
  return w
}

test('registers zulip-terminal, which finds everything that it needs', async () => {
  await using w = await scene()
  const { hamlet } = w.people
  const state = await hamlet.api.post('/register', registration)
  registered(state, 'register')
  assert.ok(state.realm_users.some((one: { user_id: number }) => one.user_id === hamlet.id))
  for (const name of ['presences', 'subscriptions', 'muted_topics', 'realm_emoji', 'custom_profile_fields'])
    assert.ok(Object.keys(state[name]).length > 0, name)
  for (const list of ['mentions', 'pms', 'streams', 'huddles']) assert.ok(state.unread_msgs[list].length > 0, list)
  // It has no name for the topic without one.
  assert.ok(!JSON.stringify(state.unread_msgs).includes('"topic":""'))
  // After its queue has ended, it names nothing to fetch.
  const { fetch_event_types: _, ...again } = registration
  const second = await hamlet.api.post('/register', again)
  shape({ queue_id: text, last_event_id: int, max_message_id: int })(second, 'register again')
})

test('answers zulip-terminal with the messages that it shows first', async () => {
  await using w = await scene()
  const { hamlet } = w.people
  const messages = listOf(all(message, shape({ flags: listOf(text) })))
  const window = { num_before: 10, num_after: 30, apply_markdown: true, client_gravatar: true }
  const ask = async (more: object) => {
    const answer = await hamlet.api.get('/messages', { ...window, ...more })
    shape({ messages, anchor: int })(answer, 'messages')
    return answer
  }
  const first = await ask({ anchor: 0, use_first_unread_anchor: true, narrow: [] })
  assert.ok(first.messages.some(({ id }: { id: number }) => id === first.anchor))
  const email = w.people.cordelia.email
  for (const narrow of [[['stream', 'general']], [['pm-with', email]], [['is', 'starred']], [['search', 'psst']]]) {
    assert.ok((await ask({ anchor: 10_000_000_000, narrow })).messages.length > 0, String(narrow))
  }
  await hamlet.api.post('/mark_all_as_read')
  assert.equal((await ask({ anchor: 0, use_first_unread_anchor: true, narrow: [] })).anchor, 10_000_000_000_000_000)
})

/** Causes an event of each type that it reads. */
async function day(w: World, who: Person) {
  const [own, iago, other] = [strict(who), strict(w.people.iago), strict(w.people.cordelia)]
  const { cordelia } = w.people
  const { id } = await cordelia.says('hello', { topic: '' })
  await other.patch(`/messages/${id}`, { content: 'good day' })
  await other.patch(`/messages/${id}`, { topic: 'plot', send_notification_to_new_thread: false })
  for (const method of ['post', 'delete'] as const) {
    await iago[method](`/messages/${id}/reactions`, { emoji_name: 'smile' })
  }
  await other.post('/submessage', { message_id: id, msg_type: 'widget', content: '{}' })
  await other.post('/typing', { op: 'start', to: [w.people.hamlet.id] })
  await other.post('/typing', { type: 'stream', op: 'start', stream_id: await w.streamId('general'), topic: '' })
  for (const op of ['add', 'remove']) await own.post('/messages/flags', { messages: [id], op, flag: 'read' })
  const stream_id = await w.streamId('crew')
  for (const property of ['is_muted', 'pin_to_top', 'desktop_notifications']) {
    await own.post('/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value: true }] })
  }
  await other.delete('/users/me/subscriptions', { subscriptions: ['crew'] })
  await cordelia.joins('crew')
  await own.patch('/settings', { twenty_four_hour_time: true })
  await other.patch('/settings', { full_name: 'Cordelia of Britain' })
  await iago.post('/users', { email: 'ann@example.com', full_name: 'Ann', password: 'correct horse' })
  await iago.upload('/realm/emoji/party', onePixelPng())
}

test('sends zulip-terminal every event in a form that it reads', async () => {
  await using w = await scene()
  const { hamlet } = w.people
  const { queue_id, last_event_id } = await hamlet.api.post('/register', registration)
  await day(w, hamlet)
  const answer = await hamlet.api.get('/events', { queue_id, last_event_id, dont_block: true })
  const sent = answer.events as { type: string; op?: string; id: number; stream_id?: number }[]
  for (const event of sent) {
    int(event.id, event.type)
    events[event.type]!(event, [event.type, event.op].join('/'))
  }
  assert.deepEqual([...new Set(sent.map(({ type }) => type))].sort(), Object.keys(events).sort())
  // It knows typing only in direct messages.
  assert.ok(sent.every(({ type, stream_id }) => type !== 'typing' || stream_id === undefined))
})
