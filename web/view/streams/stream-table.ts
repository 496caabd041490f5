import { row as rowOf } from '../settings/setting.ts'

/** What of a stream can be changed, as `updateStream` takes it. */
export type StreamSettingName =
  | 'new_name'
  | 'description'
  | 'is_private'
  | 'is_web_public'
  | 'history_public_to_subscribers'
  | 'is_default_stream'
  | 'message_retention_days'
  | 'can_send_message_group'
  | 'can_add_subscribers_group'
  | 'can_remove_subscribers_group'
  | 'can_subscribe_group'
  | 'can_administer_channel_group'

const row = rowOf<StreamSettingName>

/** The settings of a stream. A new one is one line here. */
export const streamTable = [
  row(['new_name', 'line', 'Name', 'What it is called, for everybody.']),
  row(['description', 'line', 'What it is about', 'Shown where people choose streams.']),
  row(['is_private', 'check', 'Private', 'Only who is added sees that it exists.']),
  row(['is_web_public', 'check', 'Open to everybody', 'People without an account can read it.']),
  row([
    'history_public_to_subscribers',
    'check',
    'New people see what was before',
    'Who comes to a private stream can read what was sent earlier.',
  ]),
  row(['is_default_stream', 'check', 'For new people', 'Everybody who joins the organization is in it at once.']),
  row(['message_retention_days', 'retention', 'How long messages are kept', 'Older ones are deleted.']),
  row(['can_send_message_group', 'permission', 'Write', 'Who may send messages to it.']),
  row(['can_add_subscribers_group', 'permission', 'Add people', 'Who may add others, and so read it themselves.']),
  row(['can_remove_subscribers_group', 'permission', 'Remove people', 'Who may remove others.']),
  row(['can_subscribe_group', 'permission', 'Join without being added', 'Who may, also where it is private.']),
  row(['can_administer_channel_group', 'permission', 'Administer it', 'Who may change all of this, and archive it.']),
] as const

/** What one has of a stream for oneself, as `updateProperties` takes it. */
export type SubscriptionSettingName =
  | 'color'
  | 'is_muted'
  | 'pin_to_top'
  | 'desktop_notifications'
  | 'audible_notifications'
  | 'wildcard_mentions_notify'

const own = rowOf<SubscriptionSettingName>
const asElsewhere = [
  ['', 'As in your settings'],
  ['yes', 'Yes'],
  ['no', 'No'],
] as const

/** The settings of a subscription. A new one is one line here. */
export const subscriptionTable = [
  own(['is_muted', 'check', 'Muted', 'It is shown quietly, and its messages notify you of nothing.']),
  own(['pin_to_top', 'check', 'Pinned', 'It stands at the top of your streams.']),
  own(['color', 'line', 'Colour', 'The colour of its sign, for you alone.']),
  own(['desktop_notifications', asElsewhere, 'Notifications', 'Whether each message in it notifies you.']),
  own(['audible_notifications', asElsewhere, 'Sound', 'Whether each message in it makes one.']),
  own(['wildcard_mentions_notify', asElsewhere, '@all counts as a mention', 'Whether it notifies you in this stream.']),
] as const
