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

/** A client that declares nothing. */
const unaware = {}

/** What happens to a message in the topic without a name, and to a direct one. */
async function talk(w: World) {
  const { iago, hamlet } = w.people
  const place = { type: 'stream', stream_id: await w.streamId('general'), topic: '' }
  await hamlet.api.post('/typing', { ...place, op: 'start' })
  const { id } = await hamlet.says('hello', { topic: '' })
  await hamlet.api.post('/typing', { op: 'start', to: [iago.id] })
  const direct = await hamlet.says('psst', { people: [iago] })
  await hamlet.api.post(`/messages/${id}/typing`, { op: 'start' })
  await hamlet.api.patch(`/messages/${id}`, { content: 'good day' })
  await iago.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await iago.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  const messages = [id, direct.id]
  await iago.api.post('/messages/flags', { messages, op: 'add', flag: 'read' })
  await iago.api.post('/messages/flags', { messages, op: 'remove', flag: 'read' })
  const rest = await hamlet.says('more', { topic: '' })
  await iago.api.patch(`/messages/${id}`, { topic: 'plot', send_notification_to_new_thread: false })
  await iago.api.delete(`/messages/${rest.id}`)
  await iago.api.delete(`/messages/${id}`)
}

const talkTypes = [
  ...['message', 'update_message', 'delete_message', 'reaction', 'typing', 'typing_edit_message'],
  'update_message_flags',
]

const edited = 'content is_me_message orig_content orig_rendered_content rendered_content'
const movedAway = 'orig_subject propagate_mode subject topic_links'
const changed = 'edit_timestamp flags message_id message_ids rendering_only stream_id stream_name user_id'
const members = (type: string, ...names: string[]) => [type, ...names.join(' ').split(' ').sort()].join(' ')

/** The events of a talk in their order, with their members. The first one is only for clients that know it. */
const talkEvents = (deleted: 'message_id' | 'message_ids') => [
  'typing/start message_type sender stream_id topic',
  'message flags message',
  'typing/start message_type recipients sender',
  'message flags message',
  'typing_edit_message/start message_id recipient sender_id',
  members('update_message', changed, edited),
  'reaction/add emoji_code emoji_name message_id reaction_type user_id',
  'reaction/remove emoji_code emoji_name message_id reaction_type user_id',
  'update_message_flags/add all flag messages operation',
  'update_message_flags/remove all flag message_details messages operation',
  'message flags message',
  members('update_message', changed, movedAway),
  `delete_message ${deleted} message_type stream_id topic`,
  `delete_message ${deleted} message_type stream_id topic`,
]

const sentMessage = `avatar_url client content content_type display_recipient id is_me_message reactions recipient_id
sender_email sender_full_name sender_id sender_realm_str subject submessages timestamp topic_links type`
const fetchedMessage = `${sentMessage} flags stream_id`

/** Every name of the topic without a name in these events. */
const namesOfTopic = (events: readonly Sent[]): unknown[] =>
  [...JSON.stringify(events).matchAll(/"(?:topic|subject|orig_subject)":"([^"]*)"/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'plot')

for (const [level, capabilities] of Object.entries({
  277: known277,
  371: known371,
  489: known489,
  'official app': app,
  'no capabilities': unaware,
})) {
  const knowsEmpty = 'empty_topic_name' in capabilities
  test(`sends the events of a conversation in the forms that clients of ${level} know`, async () => {
    await using w = await world()
    await set(w, 'topics_policy', 'allow_empty_topic')
    const { iago } = w.people
    const { queue_id, last_event_id } = await register(iago, {
      client_capabilities: capabilities,
      event_types: talkTypes,
      fetch_event_types: [],
    })
    await talk(w)
    const { events } = await getEvents(iago, { queue_id, last_event_id, dont_block: true })
    const sent = events as unknown as Sent[]
    const isBulk = 'bulk_message_deletion' in capabilities
    const wanted = talkEvents(isBulk ? 'message_ids' : 'message_id')
    if (!('stream_typing_notifications' in capabilities)) wanted.shift()
    assert.deepEqual(sent.map(shapeOf), wanted)
    // Direct messages have an empty subject at all levels.
    const [direct] = sent.filter(({ message }) => (message as { type?: string })?.type === 'private')
    const inChannels = sent.filter((event) => event !== direct)
    const names = namesOfTopic(inChannels)
    assert.ok(names.length >= 6)
    assert.deepEqual([...new Set(names)], [knowsEmpty ? '' : 'general chat'])
    const ofStream = sent.find(({ type }) => type === 'message')!.message as object
    assert.deepEqual(
      members('message', ...Object.keys(ofStream)),
      members('message', `${words(sentMessage)} stream_id`),
    )
    assert.deepEqual(
      members('message', ...Object.keys(direct!.message as object)),
      members('message', words(sentMessage)),
    )
  })

  test(`answers requests for messages in the form that clients of ${level} know`, async () => {
    await using w = await world()
    await set(w, 'topics_policy', 'allow_empty_topic')
    const { iago, hamlet } = w.people
    const { id } = await hamlet.says('hello', { topic: '' })
    await iago.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
    await hamlet.api.patch(`/messages/${id}`, { content: 'good day' })
    const shown = { apply_markdown: true, client_gravatar: true, ...(knowsEmpty && { allow_empty_topic_name: true }) }
    const window = { anchor: id, num_before: 0, num_after: 0, ...shown }
    const narrow = [{ operator: 'channel', operand: await w.streamId('general') }]
    const [listed] = (await iago.api.get('/messages', { ...window, narrow })).messages
    const { message } = await iago.api.get(`/messages/${id}`, shown)
    for (const one of [listed, message]) {
      const wanted = `${words(fetchedMessage)} edit_history last_edit_timestamp`
      assert.equal(members('message', ...Object.keys(one)), members('message', wanted))
      assert.equal(one.subject, knowsEmpty ? '' : 'general chat')
      const [reaction] = one.reactions
      assert.equal(
        members('reaction', ...Object.keys(reaction)),
        members('reaction', 'emoji_code emoji_name reaction_type user_id'),
      )
    }
  })
}

const words = (list: string): string => list.split(/\s+/).join(' ')
