import { all, bool, choose, int, listOf, mapOf, matching, nullable, oneOf, shape, text } from './decode.ts'

// What the official app of August 2026 needs in the objects it reads: present, of this type, and not null.

const groupMembers = shape({ direct_members: listOf(int), direct_subgroups: listOf(int) })
/** A permission: a group's ID, or users and groups. */
export const groupSetting = (value: unknown, path: string) =>
  typeof value === 'number' ? int(value, path) : groupMembers(value, path)

const userFields = {
  user_id: int,
  email: text,
  full_name: text,
  date_joined: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?[+-]\d\d:\d\d$/),
  timezone: text,
  is_bot: bool,
  role: oneOf(100, 200, 300, 400, 600),
  avatar_version: int,
  'profile_data?': mapOf(shape({ value: text }), /^\d+$/),
  'delivery_email?': text,
  'avatar_url?': text,
  'bot_type?': int,
  'bot_owner_id?': int,
  'is_active?': bool,
}
export const user = shape(userFields)
export const newUser = shape({ ...userFields, is_active: bool })

const channelFields = {
  stream_id: int,
  date_created: int,
  name: text,
  description: text,
  rendered_description: text,
  invite_only: bool,
  is_web_public: bool,
  history_public_to_subscribers: bool,
  'first_message_id?': int,
  'message_retention_days?': int,
  'stream_post_policy?': oneOf(1, 2, 3, 4),
  'is_archived?': bool,
  'is_recently_active?': bool,
  'folder_id?': int,
  'topics_policy?': text,
  'stream_weekly_traffic?': int,
  can_send_message_group: groupSetting,
  can_add_subscribers_group: groupSetting,
  can_delete_any_message_group: groupSetting,
  can_delete_own_message_group: groupSetting,
  can_subscribe_group: groupSetting,
  can_administer_channel_group: groupSetting,
}
export const channel = shape(channelFields)
export const color = matching(/^#[0-9a-f]{6}$/)
export const subscription = shape({ ...channelFields, pin_to_top: bool, is_muted: bool, color })

export const userGroup = shape({
  id: int,
  members: listOf(int),
  direct_subgroup_ids: listOf(int),
  name: text,
  description: text,
  is_system_group: bool,
  'deactivated?': bool,
})

export const channelFolder = shape({
  id: int,
  name: text,
  'order?': int,
  description: text,
  rendered_description: text,
  is_archived: bool,
})
export const device = shape({ 'push_key_id?': int, 'push_token_id?': text, 'pending_push_token_id?': text })
export const emoji = shape({ id: text, name: text, source_url: text, deactivated: bool, 'still_url?': text })
export const snippet = shape({ id: int, title: text, content: text, date_created: int })
export const profileField = shape({ id: int, type: int, order: int, name: text, hint: text, field_data: text })
export const mutedUser = shape({ id: int })
export const status = shape({
  'status_text?': text,
  'emoji_name?': text,
  'emoji_code?': text,
  'reaction_type?': oneOf('unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'),
})
export const userTopic = shape({
  stream_id: int,
  topic_name: text,
  last_updated: int,
  visibility_policy: oneOf(0, 1, 2, 3),
})

const reactionFields = {
  emoji_name: text,
  emoji_code: text,
  reaction_type: oneOf('unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'),
  user_id: int,
}
export const reaction = shape(reactionFields)

/** The app knows these flags in updates, and fails for another. */
export const flag = oneOf(
  ...['read', 'starred', 'collapsed', 'mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'],
  ...['wildcard_mentioned', 'has_alert_word', 'historical'],
)

const messageFields = {
  id: int,
  sender_id: int,
  timestamp: int,
  content: text,
  sender_full_name: text,
  sender_email: text,
  sender_realm_str: text,
  is_me_message: bool,
  reactions: listOf(reaction),
  client: text,
  content_type: text,
  'submessages?': listOf(shape({ id: int, sender_id: int, msg_type: text, content: text })),
  'last_edit_timestamp?': int,
  'match_content?': text,
  'match_subject?': text,
  /** Absent, or with entries. */
  'edit_history?': (value: unknown, path: string) => {
    listOf(shape({ timestamp: int }))(value, path)
    if ((value as unknown[]).length === 0) throw new Error(`${path} is empty`)
  },
}
const channelMessage = shape({ stream_id: int, display_recipient: text, subject: text })
const directMessage = shape({ display_recipient: listOf(shape({ id: int })) })
/** The message of an event, whose flags are beside it. */
export const eventMessage = all(
  shape({ ...messageFields, type: oneOf('stream', 'private') }),
  choose(({ type }) => (type === 'stream' ? channelMessage : directMessage)),
)
export const message = all(eventMessage, shape({ flags: listOf(text) }))

const ids = listOf(int)
const sortedIds = all(ids, (value, path) => {
  const list = value as number[]
  const sorted = [...new Set(list)].sort((a, b) => a - b)
  if (sorted.join() !== list.join()) throw new Error(`${path} is not sorted: ${list}`)
})
export const unreadMessages = shape({
  count: int,
  mentions: ids,
  old_unreads_missing: bool,
  pms: listOf(shape({ other_user_id: int, unread_message_ids: sortedIds })),
  streams: listOf(shape({ topic: text, stream_id: int, unread_message_ids: sortedIds })),
  huddles: listOf(shape({ user_ids_string: text, unread_message_ids: sortedIds })),
})
export const userSettings = shape({
  starred_message_counts: bool,
  display_emoji_reaction_users: bool,
  presence_enabled: bool,
  emojiset: text,
  twenty_four_hour_time: nullable(bool),
})
export const presence = shape({ active_timestamp: int, idle_timestamp: int })
