import assert from 'node:assert/strict'
import { test } from 'node:test'
import { register } from '../../src/core/events/queues/register.ts'
import { updatePresence } from '../../src/core/users/presence.ts'
import { updateStatus } from '../../src/core/users/status.ts'
import { world } from '../../src/testing/world.ts'
import { registerMembers } from './register-members.ts'
import { isKind } from './shapes.ts'

/** In the reference and not in our answer: we have no demo organizations. */
const absent = new Set(['demo_organization_scheduled_deletion_date'])
/** Permissions may also be sets of users at our feature level. */
const orSet = /_group$/

const modern = {
  slim_presence: true,
  include_subscribers: true,
  client_gravatar: false,
  client_capabilities: { user_settings_object: true, empty_topic_name: true, include_deactivated_groups: true },
}

test('register returns every documented field with its type', async () => {
  await using w = await world()
  const state: Record<string, unknown> = await register(w.people.iago, { slim_presence: true })
  for (const [kind, names] of Object.entries(registerMembers)) {
    for (const name of names.trim().split(/\s+/)) {
      if (absent.has(name)) continue
      assert.ok(name in state, `${name} is missing`)
      const right = isKind(kind, state[name]) || (orSet.test(name) && isKind('object', state[name]))
      assert.ok(right, `${name} should be ${kind}, is ${JSON.stringify(state[name])}`)
    }
  }
})

test("register's lists have entries, with colors that clients can parse", async () => {
  await using w = await world({ streams: { tower: { members: ['iago'] } } })
  const { hamlet, iago } = w.people
  await iago.says('a word', { people: [hamlet] })
  const state = await register(hamlet, modern)
  const lists = [
    ...[state.streams, state.subscriptions, state.never_subscribed, state.realm_users, state.cross_realm_bots],
    ...[state.realm_user_groups, state.recent_private_conversations, state.unread_msgs?.pms],
  ]
  // Their shape is in the schema, which every answer is checked against.
  for (const list of lists) assert.ok(list!.length > 0)
  for (const { color } of state.subscriptions!) assert.match(color, /^#[0-9a-f]{6}$/)
})

test('returns presence in the requested format', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await updatePresence(iago, { status: 'active' })
  const now = w.clock.now() / 1000
  const slim = await register(hamlet, { slim_presence: true, fetch_event_types: ['presence'] })
  const legacy = await register(hamlet, { fetch_event_types: ['presence'] })
  assert.deepEqual(slim.presences, { [iago.id]: { active_timestamp: now, idle_timestamp: now } })
  const website = { client: 'website', status: 'active', timestamp: now }
  assert.deepEqual(legacy.presences, {
    [iago.email]: { aggregated: website, website: { ...website, pushable: false } },
  })
})

test('returns only the requested parts', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await updateStatus(hamlet, { status_text: 'brooding' })
  const always = [
    'idle_queue_timeout_secs',
    'last_event_id',
    'queue_id',
    'zulip_feature_level',
    'zulip_merge_base',
    'zulip_version',
  ]
  const cases: [string[], string[]][] = [
    [['message'], ['max_message_id', 'unread_msgs']],
    [['user_status'], ['user_status']],
    [
      ['alert_words', 'muted_users'],
      ['alert_words', 'muted_users'],
    ],
    [['user_topic', 'muted_topics'], ['user_topics']],
    [['muted_topics'], ['muted_topics']],
    [['user_group'], ['realm_user_groups']],
    [['no such thing'], []],
    [[], []],
  ]
  for (const [asked, answered] of cases) {
    const { queue_id, ...state } = await register(hamlet, { fetch_event_types: asked })
    assert.deepEqual(Object.keys({ queue_id, ...state }).sort(), [...always, ...answered].sort(), asked.join())
  }
  // `event_types` also selects the state that is fetched, unless `fetch_event_types` does.
  assert.ok('alert_words' in (await register(hamlet, { event_types: ['alert_words'] })))
})

test('returns settings only in their object, for all clients', async () => {
  await using w = await world()
  const old: Record<string, unknown> = await register(w.people.hamlet, {})
  const now: Record<string, unknown> = await register(w.people.hamlet, modern)
  for (const state of [old, now]) {
    assert.equal('twenty_four_hour_time' in state, false)
    assert.equal((state.user_settings as Record<string, unknown>).twenty_four_hour_time, false)
  }
})
