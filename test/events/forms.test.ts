import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateSettings } from '../../src/core/accounts/update-settings.ts'
import { getEvents } from '../../src/core/events/queues/poll.ts'
import { register } from '../../src/core/events/queues/register.ts'
import { createGroup } from '../../src/core/groups/create.ts'
import { deactivateGroup } from '../../src/core/groups/deactivate.ts'
import { deleteTopic } from '../../src/core/messages/edit/delete-topic.ts'
import { updateMessage } from '../../src/core/messages/edit/edit.ts'
import { setTyping } from '../../src/core/messages/typing.ts'
import { updateProperties } from '../../src/core/streams/subscriptions/properties.ts'
import { updateUserTopic } from '../../src/core/streams/user-topics.ts'
import { updatePresence } from '../../src/core/users/presence.ts'
import { ofType, type RegisterOptions } from '../../src/testing/verify-events.ts'
import { type Person, type World, world } from '../../src/testing/world.ts'

const all = {
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  include_deactivated_groups: true,
  empty_topic_name: true,
}

/** The events that a client registered with these options gets. */
async function seen(person: Person, options: RegisterOptions, act: () => Promise<unknown>) {
  const { queue_id, last_event_id } = await register(person, { ...options, fetch_event_types: [] })
  await act()
  const { events } = await getEvents(person, { queue_id, last_event_id, dont_block: true })
  return events
}

const modern = { client_capabilities: all, slim_presence: true }

async function twice(w: World, act: (n: number) => Promise<unknown>, types: string[]) {
  const now = await seen(w.people.hamlet, { ...modern, event_types: types }, () => act(1))
  const old = await seen(w.people.hamlet, { event_types: types }, () => act(2))
  return { now, old }
}

test('reports deleted messages in one event, or one each with its own id', async () => {
  await using w = await world()
  const { iago } = w.people
  const stream_id = await w.streamId('general')
  const act = async (n: number) => {
    for (let i = 0; i < 3; i++) await iago.says('gone soon', { topic: `topic ${n}` })
    await deleteTopic(iago, { stream_id, topic_name: `topic ${n}` })
  }
  const { now, old } = await twice(w, act, ['delete_message'])
  assert.equal(now.length, 1)
  assert.equal(ofType(now, 'delete_message')[0]!.message_ids?.length, 3)
  assert.equal(old.length, 3)
  assert.equal(new Set(old.map((event) => event.id)).size, 3)
  assert.deepEqual(
    old.map((event) => event.id),
    old.map((event) => event.id).sort((a, b) => a - b),
  )
  for (const event of old) assert.equal('message_ids' in event, false)
})

test('acknowledging one of several events returns the rest', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { queue_id, last_event_id } = await register(hamlet, { event_types: ['delete_message'] })
  for (let i = 0; i < 3; i++) await iago.says('gone soon', { topic: 'x' })
  await deleteTopic(iago, { stream_id: await w.streamId('general'), topic_name: 'x' })
  const { events } = await getEvents(hamlet, { queue_id, last_event_id, dont_block: true })
  const rest = await getEvents(hamlet, { queue_id, last_event_id: events[0]!.id, dont_block: true })
  assert.deepEqual(rest.events, events.slice(1))
})

test("gives the empty topic a name for clients that don't support it", async () => {
  await using w = await world()
  const { iago } = w.people
  const act = async () => {
    const { id } = await iago.says('first', { topic: '' })
    await updateMessage(iago, { message_id: id, topic: 'named' })
  }
  const { now, old } = await twice(w, act, ['message', 'update_message'])
  const names = (events: typeof now) => [
    ...ofType(events, 'message')
      .map((event) => event.message.subject)
      .slice(0, 1),
    ...ofType(events, 'update_message').map((event) => event.orig_subject),
  ]
  assert.deepEqual(names(now), ['', ''])
  assert.deepEqual(names(old), ['general chat', 'general chat'])
})

test('sends typing in streams only to clients that asked for it', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const stream_id = await w.streamId('general')
  const act = async () => {
    await setTyping(iago, { op: 'start', type: 'stream', stream_id, topic: 'x' })
    await setTyping(iago, { op: 'start', to: [hamlet.id] })
  }
  const { now, old } = await twice(w, act, ['typing'])
  assert.deepEqual(
    ofType(now, 'typing').map((event) => event.message_type),
    ['stream', 'direct'],
  )
  assert.deepEqual(
    ofType(old, 'typing').map((event) => event.message_type),
    ['direct'],
  )
})

test('sends older events beside the new ones for settings, muted topics and muted streams', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const stream_id = await w.streamId('general')
  const act = async (n: number) => {
    await updateSettings(hamlet, { twenty_four_hour_time: n === 1, enable_sounds: n !== 1 })
    await updateUserTopic(hamlet, { stream_id, topic: `t${n}`, visibility_policy: 1 })
    await updateProperties(hamlet, { subscription_data: [{ stream_id, property: 'is_muted', value: true }] })
  }
  const now = await seen(hamlet, modern, () => act(1))
  const old = await seen(hamlet, {}, () => act(2))
  assert.deepEqual(
    now.map((event) => event.type),
    ['user_settings', 'user_settings', 'muted_topics', 'user_topic', 'subscription', 'subscription'],
  )
  assert.deepEqual(
    old.map((event) => event.type),
    ['user_settings', 'user_settings', 'muted_topics', 'user_topic', 'subscription', 'subscription'],
  )
  const changes = ofType(old, 'subscription').filter((event) => event.op === 'update')
  assert.deepEqual(
    changes.map(({ property, value }) => [property, value]),
    [
      ['in_home_view', false],
      ['is_muted', true],
    ],
  )
})

test("removes a deactivated group for clients that don't support deactivated groups", async () => {
  await using w = await world()
  const { iago } = w.people
  const act = async (n: number) => {
    const { group_id } = await createGroup(iago, { name: `group ${n}`, description: '', members: [] })
    await deactivateGroup(iago, { user_group_id: group_id })
  }
  const { now, old } = await twice(w, act, ['user_group'])
  const [, update] = ofType(now, 'user_group')
  assert.deepEqual(update?.op === 'update' && update.data, { deactivated: true })
  assert.equal(ofType(old, 'user_group').at(-1)!.op, 'remove')
})

test('omits emails from presence when the client asks for the slim format', async () => {
  await using w = await world()
  const act = async () => {
    w.clock.advance(200_000)
    await updatePresence(w.people.iago, { status: 'active' })
  }
  const { now, old } = await twice(w, act, ['presence'])
  assert.equal(ofType(now, 'presence')[0]!.email, undefined)
  assert.equal(ofType(old, 'presence')[0]!.email, 'iago@example.com')
})

test("includes the reader's own flags with an edited message", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await iago.says('one')
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const [event] = await seen(hamlet, { event_types: ['update_message'] }, () =>
    updateMessage(iago, { message_id: id, content: `@**hamlet|${hamlet.id}**` }),
  )
  assert.ok(event?.type === 'update_message')
  assert.deepEqual(event.flags.sort(), ['mentioned', 'read', 'starred'])
})
