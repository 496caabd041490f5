import * as v from 'valibot'
import { groupSettingValue } from './group.ts'
import { id, ids, integer, unixTime } from './values.ts'

/** Which topics a stream admits: those that the organization admits, or others. */
export const topicsPolicies = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const

/** A stream. */
export const streamShape = v.strictObject({
  stream_id: id,
  name: v.string(),
  description: v.string(),
  /** HTML. */
  rendered_description: v.string(),
  date_created: unixTime,
  creator_id: v.nullable(id),
  first_message_id: v.nullable(id),
  /** null for none. */
  folder_id: v.nullable(id),
  history_public_to_subscribers: v.boolean(),
  /** Whether it is private. */
  invite_only: v.boolean(),
  is_announcement_only: v.boolean(),
  is_archived: v.boolean(),
  is_recently_active: v.boolean(),
  is_web_public: v.boolean(),
  /** null for the organization's setting, -1 for forever. */
  message_retention_days: v.nullable(integer),
  stream_post_policy: integer,
  stream_weekly_traffic: v.nullable(integer),
  /** Active accounts that are subscribed, bots included. */
  subscriber_count: integer,
  topics_policy: v.picklist(topicsPolicies),
  /**
   * Seconds between two messages of one person, except moderators. Only in slow mode, because strict clients reject members
   * that the Zulip API doesn't have.
   */
  slow_mode_seconds: v.exactOptional(integer),
  can_add_subscribers_group: groupSettingValue,
  can_administer_channel_group: groupSettingValue,
  can_create_topic_group: groupSettingValue,
  can_delete_any_message_group: groupSettingValue,
  can_delete_own_message_group: groupSettingValue,
  can_move_messages_out_of_channel_group: groupSettingValue,
  can_move_messages_within_channel_group: groupSettingValue,
  can_remove_subscribers_group: groupSettingValue,
  can_resolve_topics_group: groupSettingValue,
  can_send_message_group: groupSettingValue,
  can_subscribe_group: groupSettingValue,
})
export type StreamView = v.InferOutput<typeof streamShape>

/** Whether to notify; null to follow the user's settings. */
const notification = v.nullable(v.boolean())

/** The personal settings of a subscription. */
export const subscriptionSettingsShape = v.strictObject({
  /** #rrggbb, in lower case. */
  color: v.string(),
  is_muted: v.boolean(),
  /** The opposite of is_muted, for older clients. */
  in_home_view: v.boolean(),
  pin_to_top: v.boolean(),
  desktop_notifications: notification,
  audible_notifications: notification,
  push_notifications: notification,
  email_notifications: notification,
  wildcard_mentions_notify: notification,
})
export type SubscriptionSettingsView = v.InferOutput<typeof subscriptionSettingsShape>

/** Present when `include_subscribers` asked for it: all of them, or the most important ones of a large stream. */
const subscriberEntries = { subscribers: v.exactOptional(ids), partial_subscribers: v.exactOptional(ids) }

/** A stream with the user's settings for it. */
export const subscriptionShape = v.strictObject({
  ...streamShape.entries,
  ...subscriptionSettingsShape.entries,
  ...subscriberEntries,
})
export type SubscriptionView = v.InferOutput<typeof subscriptionShape>

/** A stream that the user could join. */
export const neverSubscribedShape = v.strictObject({ ...streamShape.entries, ...subscriberEntries })

/** A folder of streams. */
export const channelFolderShape = v.strictObject({
  id,
  name: v.string(),
  /** Its place: its id until folders are reordered, then from 0. */
  order: integer,
  date_created: v.nullable(unixTime),
  creator_id: v.nullable(id),
  description: v.string(),
  /** HTML. */
  rendered_description: v.string(),
  is_archived: v.boolean(),
})
export type ChannelFolderView = v.InferOutput<typeof channelFolderShape>

/** A topic, with its newest message that the caller can see. */
export const topicShape = v.strictObject({ name: v.string(), max_id: id })
export type TopicView = v.InferOutput<typeof topicShape>

/** A user's visibility policy for a topic: 1 muted, 2 unmuted, 3 followed, 0 like its stream. */
export const visibilityPolicy = integer

export const userTopicShape = v.strictObject({
  stream_id: id,
  topic_name: v.string(),
  last_updated: unixTime,
  visibility_policy: visibilityPolicy,
})
export type UserTopicView = v.InferOutput<typeof userTopicShape>

/** Stream's name, topic, and when it was muted. The older form, of muted topics only. */
export const mutedTopicShape = v.tuple([v.string(), v.string(), unixTime])
export type MutedTopic = v.InferOutput<typeof mutedTopicShape>

/** Streams that are offered to new users together. */
export const streamGroupShape = v.strictObject({ id, name: v.string(), description: v.string(), streams: v.array(id) })
export type StreamGroupView = v.InferOutput<typeof streamGroupShape>
