import assert from 'node:assert/strict'
import { all, bool, choose, type Decode, int, listOf, mapOf, nullable, oneOf, shape, text } from './decode.ts'
import * as objects from './objects.ts'

type Event = Readonly<Record<string, unknown>>

const byOp = (forms: Readonly<Record<string, Decode>>): Decode =>
  // The app ignores operations that it doesn't know.
  choose(({ op }) => forms[op as string] ?? (() => {}))
const ids = listOf(int)
const peers = shape({ stream_ids: ids, user_ids: ids })
const groupMembers = shape({ group_id: int, user_ids: ids })
const subgroups = shape({ group_id: int, direct_subgroup_ids: ids })
const inChannel = shape({ stream_id: int, topic: text })

/** A move names the old place and at least one part of the new one, and nothing else says how far it goes. */
const move: Decode = (value, path) => {
  const { propagate_mode, subject, new_stream_id, orig_subject } = value as Event
  if (propagate_mode === undefined) {
    assert.equal(orig_subject ?? new_stream_id, undefined, `${path} moves without propagate_mode`)
    return
  }
  const fields = {
    stream_id: int,
    orig_subject: text,
    propagate_mode: oneOf('change_one', 'change_later', 'change_all'),
  }
  shape({ ...fields, 'subject?': text, 'new_stream_id?': int })(value, path)
  assert.ok(subject !== undefined || new_stream_id !== undefined, `${path} moves nowhere`)
}

/** Values of the properties of a channel that the app reads. */
const channelValues: Readonly<Record<string, Decode>> = {
  name: text,
  description: text,
  first_message_id: nullable(int),
  invite_only: bool,
  is_archived: bool,
  is_recently_active: bool,
  folder_id: nullable(int),
  topics_policy: text,
  message_retention_days: nullable(int),
  stream_post_policy: oneOf(1, 2, 3, 4),
  stream_weekly_traffic: nullable(int),
}
const channelUpdate: Decode = (value, path) => {
  shape({ stream_id: int, name: text, property: text })(value, path)
  const { property, value: next } = value as { property: string; value: unknown }
  const decode = /_group$/.test(property) ? objects.groupSetting : channelValues[property]
  decode?.(next, `${path}.value of ${property}`)
}

const subscriptionUpdate: Decode = (value, path) => {
  shape({ stream_id: int, property: text })(value, path)
  const { property, value: next } = value as { property: string; value: unknown }
  if (property === 'color') objects.color(next, `${path}.value of color`)
  else if (property === 'is_muted' || property === 'pin_to_top') bool(next, `${path}.value of ${property}`)
}

const person = shape({
  user_id: int,
  'full_name?': text,
  'avatar_url?': text,
  'avatar_version?': int,
  'timezone?': text,
  'bot_owner_id?': int,
  'role?': oneOf(100, 200, 300, 400, 600),
  'is_billing_admin?': bool,
  'delivery_email?': text,
  'custom_profile_field?': shape({ id: int, 'value?': text }),
  'new_email?': text,
  'is_active?': bool,
})

const readDetails = choose(({ type }) =>
  type === 'stream' || type === 'channel' ? inChannel : shape({ type: text, user_ids: ids }),
)
const settingValues: Readonly<Record<string, Decode>> = {
  twenty_four_hour_time: nullable(bool),
  starred_message_counts: bool,
  display_emoji_reaction_users: bool,
  emojiset: text,
  presence_enabled: bool,
}

/** What the app needs in each event that it reads. */
export const appEvents: Readonly<Record<string, Decode>> = {
  heartbeat: () => {},
  alert_words: shape({ alert_words: listOf(text) }),
  channel_folder: byOp({
    add: shape({ channel_folder: objects.channelFolder }),
    update: shape({
      channel_folder_id: int,
      data: shape({ 'name?': text, 'description?': text, 'rendered_description?': text, 'is_archived?': bool }),
    }),
    reorder: shape({ order: ids }),
  }),
  custom_profile_fields: shape({ fields: listOf(objects.profileField) }),
  delete_message: all(
    shape({ message_ids: ids, message_type: oneOf('stream', 'private', 'direct') }),
    choose(({ message_type }) => (message_type === 'stream' ? inChannel : () => {})),
  ),
  device: byOp({
    add: shape({ device_id: int }),
    remove: shape({ device_id: int }),
    update: all(shape({ device_id: int }), objects.device),
  }),
  message: shape({ message: objects.eventMessage, flags: listOf(text), 'local_message_id?': text }),
  muted_users: shape({ muted_users: listOf(objects.mutedUser) }),
  presence: shape({
    user_id: int,
    server_timestamp: int,
    presence: mapOf(shape({ client: text, status: oneOf('active', 'idle'), timestamp: int, pushable: bool })),
  }),
  reaction: all(shape({ op: oneOf('add', 'remove'), message_id: int }), objects.reaction),
  realm_emoji: byOp({
    update: shape({ realm_emoji: mapOf(objects.emoji) }),
    add: shape({ emoji: objects.emoji }),
    update_one: shape({ emoji_id: text, data: shape({ 'deactivated?': bool }) }),
  }),
  realm_user: byOp({
    add: shape({ person: objects.newUser }),
    update: shape({ person }),
    remove: shape({ person: shape({ user_id: int }) }),
  }),
  saved_snippets: byOp({
    add: shape({ saved_snippet: objects.snippet }),
    update: shape({ saved_snippet: objects.snippet }),
    remove: shape({ saved_snippet_id: int }),
  }),
  stream: byOp({
    create: shape({ streams: listOf(objects.channel) }),
    update: channelUpdate,
    delete: (value, path) => {
      const { stream_ids, streams } = value as Event
      if (stream_ids === undefined) listOf(shape({ stream_id: int }))(streams, `${path}.streams`)
      else ids(stream_ids, `${path}.stream_ids`)
    },
  }),
  submessage: shape({ message_id: int, msg_type: text, submessage_id: int, sender_id: int, content: text }),
  subscription: byOp({
    add: shape({ subscriptions: listOf(objects.subscription) }),
    remove: shape({ subscriptions: listOf(shape({ stream_id: int })) }),
    update: subscriptionUpdate,
    peer_add: peers,
    peer_remove: peers,
  }),
  typing: all(
    shape({
      op: oneOf('start', 'stop'),
      message_type: oneOf('stream', 'direct', 'private'),
      sender: shape({ user_id: int }),
    }),
    choose(({ message_type }) =>
      message_type === 'stream' ? inChannel : shape({ recipients: listOf(shape({ user_id: int })) }),
    ),
  ),
  update_message: all(
    shape({
      message_id: int,
      message_ids: ids,
      flags: listOf(objects.flag),
      edit_timestamp: int,
      rendering_only: bool,
      'user_id?': int,
      'orig_content?': text,
      'content?': text,
      'rendered_content?': text,
      'is_me_message?': bool,
    }),
    move,
  ),
  update_message_flags: all(
    shape({ op: oneOf('add', 'remove'), flag: objects.flag, messages: ids }),
    choose(({ op, flag }) =>
      op === 'add'
        ? shape({ all: bool })
        : flag === 'read'
          ? shape({ message_details: mapOf(readDetails, /^\d+$/) })
          : () => {},
    ),
  ),
  user_group: byOp({
    add: shape({ group: objects.userGroup }),
    update: shape({
      group_id: int,
      data: shape({ 'name?': text, 'description?': text, 'deactivated?': bool }),
    }),
    add_members: groupMembers,
    remove_members: groupMembers,
    add_subgroups: subgroups,
    remove_subgroups: subgroups,
    remove: shape({ group_id: int }),
  }),
  user_settings: (value, path) => {
    const { op, property, value: next } = value as Event
    if (op === 'update') settingValues[property as string]?.(next, `${path}.value of ${property}`)
  },
  user_status: all(shape({ user_id: int }), objects.status),
  user_topic: objects.userTopic,
}

/** An event as the app takes it from its queue. It passes over types that it doesn't know. */
export function decodeEvent(event: object): void {
  const { type, op } = event as { type: string; op?: string }
  const path = op === undefined ? type : `${type}/${op}`
  shape({ id: int, type: text })(event, path)
  appEvents[type]?.(event, path)
}
