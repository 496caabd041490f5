import assert from 'node:assert/strict'
import test from 'node:test'
import { updateSettings } from '../../src/core/accounts/update-settings.ts'
import { getEvents } from '../../src/core/events/queues/poll.ts'
import { register } from '../../src/core/events/queues/register.ts'
import { uploadCustomEmoji } from '../../src/core/organization/emoji/upload.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { png } from '../files/images.ts'
import { set } from '../messages/listen.ts'

/** What clients declare that were made for a feature level. */
const known277 = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
}
const known371 = {
  ...known277,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
}
const known489 = { ...known371, simplified_presence_events: true, individual_emoji_changes: true }
/** The official app of August 2026. */
const app = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  include_deactivated_groups: true,
  empty_topic_name: true,
  individual_emoji_changes: true,
}

type Sent = Record<string, unknown> & { type: string; op?: string }

/** A day in an organization, with everything that levels changed. */
async function day(w: World) {
  const { iago, hamlet } = w.people
  const { id } = await hamlet.says('hello', { topic: '' })
  await iago.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await iago.api.delete(`/messages/${id}`)
  await updateSettings(iago, { twenty_four_hour_time: true })
  await hamlet.api.post('/users/me/presence', { status: 'active' })
  await uploadCustomEmoji(iago, { emoji_name: 'party', filename: { name: 'party.png', bytes: png() } })
  await iago.api.delete('/realm/emoji/party')
  const { group_id } = await iago.api.post('/user_groups/create', { name: 'crew', description: '', members: [] })
  await iago.api.post(`/user_groups/${group_id}/deactivate`)
  const stream_id = await w.streamId('old')
  await iago.api.delete(`/streams/${stream_id}`)
  await iago.api.patch(`/streams/${stream_id}`, { is_archived: false })
  await iago.api.patch('/realm', { description: 'New here' })
  const { user_id } = await iago.api.post('/bots', { full_name: 'Skull', short_name: 'skull' })
  await iago.api.patch(`/bots/${user_id}`, { default_all_public_streams: true })
}

const types = [
  ...['message', 'reaction', 'delete_message', 'user_settings', 'update_display_settings', 'presence', 'realm_emoji'],
  ...['user_group', 'stream', 'realm', 'realm_bot'],
]

/** The day as a client receives it: each event with the names of its members. */
async function received(w: World, person: Person, client_capabilities: Record<string, boolean>) {
  const { queue_id, last_event_id } = await register(person, {
    client_capabilities,
    event_types: types,
    fetch_event_types: [],
    slim_presence: true,
  })
  await day(w)
  const { events } = await getEvents(person, { queue_id, last_event_id, dont_block: true })
  return events as unknown as Sent[]
}

const shapeOf = ({ id: _, type, op, ...rest }: Sent) =>
  [op === undefined ? type : `${type}/${op}`, ...Object.keys(rest).sort()].join(' ')

/** The members of an event that are the same at all three levels. */
const everywhere = [
  'message flags message',
  'reaction/add emoji_code emoji_name message_id reaction_type user_id',
  'user_settings/update property value',
  'realm/update_dict data property',
  'realm_bot/add bot',
  'realm_bot/update bot',
  'stream/update name property stream_id value',
  'user_group/add group',
  'user_group/add_members group_id user_ids',
]
const expected = {
  277: [
    'delete_message message_ids message_type stream_id topic',
    'presence presence server_timestamp user_id',
    'realm_emoji/update realm_emoji',
    'stream/delete stream_ids streams',
    'stream/create streams',
    'user_group/remove group_id',
  ],
  371: [
    'delete_message message_ids message_type stream_id topic',
    'presence presence server_timestamp user_id',
    'realm_emoji/update realm_emoji',
    'user_group/update data group_id',
  ],
  489: [
    'delete_message message_ids message_type stream_id topic',
    'presence presences',
    'realm_emoji/add emoji',
    'realm_emoji/update_one data emoji_id',
    'user_group/update data group_id',
  ],
  'official app': [
    'delete_message message_ids message_type stream_id topic',
    'presence presence server_timestamp user_id',
    'realm_emoji/add emoji',
    'realm_emoji/update_one data emoji_id',
    'stream/delete stream_ids streams',
    'stream/create streams',
    'user_group/update data group_id',
  ],
}

for (const [level, capabilities] of Object.entries({
  277: known277,
  371: known371,
  489: known489,
  'official app': app,
})) {
  test(`sends events in the forms that clients of ${level} know`, async () => {
    await using w = await world({ streams: { old: { members: ['iago', 'hamlet'] } } })
    await set(w, 'topics_policy', 'allow_empty_topic')
    const events = await received(w, w.people.iago, capabilities)
    const shapes = new Set(events.map(shapeOf))
    const wanted = [...everywhere, ...expected[level as unknown as keyof typeof expected]]
    assert.deepEqual([...shapes].sort(), wanted.sort())
    const { message } = events.find(({ type }) => type === 'message') as unknown as { message: { subject: string } }
    assert.equal(message.subject, level === '277' ? 'general chat' : '')
    const bot = events.find(({ op, type }) => type === 'realm_bot' && op === 'add')!.bot as object
    assert.deepEqual(Object.keys(bot).sort(), [
      'default_all_public_streams',
      'default_events_register_stream',
      'default_sending_stream',
      'services',
      'user_id',
    ])
    const { data } = events.find(({ type }) => type === 'realm') as unknown as { data: object }
    assert.deepEqual(Object.keys(data).sort(), ['description', 'rendered_description'])
  })

  test(`register answers what clients of ${level} require`, async () => {
    await using w = await world({ streams: { old: { members: ['iago', 'hamlet'] } } })
    await w.people.iago.api.delete(`/streams/${await w.streamId('old')}`)
    const state = await w.people.hamlet.api.post('/register', { client_capabilities: capabilities })
    for (const name of required) assert.ok(state[name] !== undefined, name)
    assert.equal(state.zulip_feature_level, 489)
    assert.ok([1, 2, 3, 5, 6, 7].includes(state.realm_wildcard_mention_policy))
    for (const { color } of state.subscriptions) assert.match(color, /^#[0-9a-f]{6}$/)
    const isListed = state.subscriptions.some(({ name }: { name: string }) => name === 'old')
    assert.equal(isListed, 'archived_channels' in capabilities)
    const [presence] = Object.values<object>(
      (await w.people.hamlet.api.post('/users/me/presence', { status: 'active' })).presences ?? {},
    )
    assert.ok(presence)
    for (const name of ['update_display_settings', 'color_scheme', 'twenty_four_hour_time']) assert.ok(!(name in state))
  })
}

/** Without these the official app fails. */
const required = `last_event_id zulip_feature_level zulip_version zulip_merge_base alert_words custom_profile_fields
muted_users realm_emoji realm_user_groups subscriptions streams starred_messages server_presence_ping_interval_seconds
server_presence_offline_threshold_seconds realm_name realm_waiting_period_threshold realm_allow_message_editing
realm_enable_read_receipts max_file_upload_size_mib realm_users realm_wildcard_mention_policy max_stream_name_length
max_topic_length realm_presence_disabled realm_default_external_accounts server_emoji_data_url
event_queue_longpoll_timeout_seconds realm_icon_url user_settings cross_realm_bots realm_non_active_users
recent_private_conversations presences user_status user_topics unread_msgs realm_topics_policy realm_mandatory_topics
channel_folders devices server_report_message_types navigation_views reminders realm_linkifiers`.split(/\s+/)
