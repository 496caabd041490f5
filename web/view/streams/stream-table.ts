import { pageTexts } from '../../texts/page-texts.ts'
import { rowsOf, themed } from '../settings/setting.ts'

/** Properties of a stream, for `updateStream`. */
export type StreamSettingName =
  | 'new_name'
  | 'description'
  | 'is_private'
  | 'is_web_public'
  | 'history_public_to_subscribers'
  | 'is_default_stream'
  | 'message_retention_days'
  | 'topics_policy'
  | 'slow_mode_seconds'
  | 'folder_id'
  | 'can_send_message_group'
  | 'can_add_subscribers_group'
  | 'can_remove_subscribers_group'
  | 'can_subscribe_group'
  | 'can_administer_channel_group'
  | 'can_create_topic_group'
  | 'can_resolve_topics_group'
  | 'can_move_messages_within_channel_group'
  | 'can_move_messages_out_of_channel_group'
  | 'can_delete_own_message_group'
  | 'can_delete_any_message_group'

const { choices } = pageTexts
const row = rowsOf<StreamSettingName>()(pageTexts.channelSettings)

const general = [
  row('new_name', 'line'),
  row('description', 'line'),
  row('folder_id', 'folder'),
  row('is_default_stream', 'check'),
  row('message_retention_days', 'retention'),
  row('topics_policy', [
    ['inherit', choices.asOrganization],
    ['allow_empty_topic', choices.generalChatAllowed],
    ['disable_empty_topic', choices.topicRequired],
    ['empty_topic_only', choices.onlyGeneralChat],
  ]),
  row('slow_mode_seconds', [
    [0, pageTexts.slowMode.off],
    [10, pageTexts.slowMode.tenSeconds],
    [30, pageTexts.slowMode.thirtySeconds],
    [60, pageTexts.slowMode.minute],
    [300, pageTexts.slowMode.fiveMinutes],
    [900, pageTexts.slowMode.fifteenMinutes],
    [3600, pageTexts.slowMode.hour],
    [21_600, pageTexts.slowMode.sixHours],
    [86_400, pageTexts.slowMode.day],
  ]),
]

const permissions = [
  ...themed(pageTexts.channel.visibility, [
    row('is_private', 'check'),
    row('is_web_public', 'check'),
    row('history_public_to_subscribers', 'check'),
  ]),
  ...themed(pageTexts.sections.messages, [
    row('can_send_message_group', 'permission'),
    row('can_delete_own_message_group', 'permission'),
    row('can_delete_any_message_group', 'permission'),
  ]),
  ...themed(pageTexts.themes.topics, [
    row('can_create_topic_group', 'permission'),
    row('can_resolve_topics_group', 'permission'),
    row('can_move_messages_within_channel_group', 'permission'),
    row('can_move_messages_out_of_channel_group', 'permission'),
  ]),
  ...themed(pageTexts.channel.members, [
    row('can_add_subscribers_group', 'permission'),
    row('can_remove_subscribers_group', 'permission'),
    row('can_subscribe_group', 'permission'),
    row('can_administer_channel_group', 'permission'),
  ]),
]

/** The settings of a stream, by tab. A new one needs one line here. */
export const streamTabs = { general, permissions } as const
export const streamTable = Object.values(streamTabs).flat()

/** A personal setting of a subscription, for `updateProperties`. */
export type SubscriptionSettingName =
  | 'color'
  | 'is_muted'
  | 'pin_to_top'
  | 'desktop_notifications'
  | 'audible_notifications'
  | 'wildcard_mentions_notify'

const own = rowsOf<SubscriptionSettingName>()(pageTexts.subscriptionSettings)
const asElsewhere = [
  ['', choices.asInSettings],
  ['yes', choices.yes],
  ['no', choices.no],
] as const

/** The settings of a subscription. A new one needs one line here. */
export const subscriptionTable = [
  own('is_muted', 'check'),
  own('pin_to_top', 'check'),
  own('color', 'line'),
  own('desktop_notifications', asElsewhere),
  own('audible_notifications', asElsewhere),
  own('wildcard_mentions_notify', asElsewhere),
] as const
