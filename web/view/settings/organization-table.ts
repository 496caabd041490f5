import type { ClientState } from '../../../src/client/index.ts'
import { type Row, row as rowOf, type Setting } from './setting.ts'

/** Names of the organization's settings, as `updateOrganization` takes them. */
export type SettingName = keyof ClientState extends infer K ? (K extends `realm_${infer N}` ? N : never) : never

const row = rowOf<SettingName>
const ofOwners = (each: Row<SettingName>): Setting<SettingName> => ({ ...row(each), who: 'owner' })

const kindsOfOrganization = [
  [0, 'Not said'],
  [10, 'Business'],
  [20, 'Open-source project'],
  [30, 'Education (non-profit)'],
  [35, 'Education (for-profit)'],
  [40, 'Research'],
  [50, 'Event or conference'],
  [60, 'Non-profit'],
  [70, 'Government'],
  [80, 'Political group'],
  [90, 'Community'],
  [100, 'Personal'],
  [1000, 'Other'],
] as const

/** Those that clients are translated into, by their names for themselves. */
export const languages = [
  ...['ar', 'be', 'bg', 'bn', 'bqi', 'ca', 'cs', 'cy', 'da', 'de', 'el', 'en', 'en-gb', 'eo', 'es', 'et', 'fa', 'fi'],
  ...['fr', 'gl', 'gu', 'hi', 'hu', 'id', 'it', 'ja', 'kk', 'ko', 'lt', 'lv', 'ml', 'mn', 'my', 'nb-no', 'nl', 'no'],
  ...['pl', 'pt', 'pt-br', 'pt-pt', 'ro', 'ru', 'si', 'sl', 'sr', 'sv', 'ta', 'tl', 'tr', 'uk', 'vi', 'zh-hans'],
  ...['zh-hant', 'zh-tw'],
].map((code) => [code, new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code] as const)

const about = [
  row(['name', 'line', 'Name', 'What the organization is called, for everybody.']),
  row(['description', 'lines', 'Description', 'Shown to people who sign in. It may contain Markdown.']),
  row(['org_type', kindsOfOrganization, 'Kind of organization', 'What sort of group uses this server.']),
  row(['default_language', languages, 'Language', 'The language of new accounts and of the server’s own messages.']),
  row(['new_stream_announcements_stream_id', 'stream', 'New streams', 'Where the server announces new streams.']),
  row(['signup_announcements_stream_id', 'stream', 'New people', 'Where the server announces who has joined.']),
  ofOwners(['upload_quota_mib', 'limit', 'Room for files (MiB)', 'For all uploaded files together. Empty: no limit.']),
]

const messages = [
  row(['allow_message_editing', 'check', 'Messages can be edited', 'People may change what they have written.']),
  row(['message_content_edit_limit_seconds', 'duration', 'Time to edit', 'How long after sending a message.']),
  row(['message_content_delete_limit_seconds', 'duration', 'Time to delete', 'How long after sending a message.']),
  row([
    'message_edit_history_visibility_policy',
    [
      ['all', 'Edits and moves'],
      ['moves', 'Only moves'],
      ['none', 'Nothing'],
    ],
    'History of messages',
    'What everybody may see of how a message has changed.',
  ]),
  row([
    'move_messages_within_stream_limit_seconds',
    'duration',
    'Time to move to another topic',
    'Moderators and above may always.',
  ]),
  row([
    'move_messages_between_streams_limit_seconds',
    'duration',
    'Time to move to another stream',
    'Moderators and above may always.',
  ]),
  row(['mandatory_topics', 'check', 'Topics are required', 'A message to a stream needs a topic.']),
  row([
    'enable_read_receipts',
    'check',
    'Read receipts',
    'People can see who has read a message, unless a reader hides it.',
  ]),
  row(['inline_image_preview', 'check', 'Pictures in messages', 'A link to a picture shows the picture below it.']),
  row([
    'default_code_block_language',
    'line',
    'Language of code',
    'For blocks of code that name none, such as python.',
  ]),
  row([
    'video_chat_provider',
    [
      [0, 'None'],
      [1, 'Jitsi Meet'],
    ],
    'Calls',
    'The service of the button for calls, beside the box where messages are written.',
  ]),
  row(['jitsi_server_url', 'address', 'Jitsi server', 'Its web address. Empty: the public one, meet.jit.si.']),
  ofOwners([
    'message_retention_days',
    'limit',
    'Days that messages are kept',
    'Older ones are deleted. Empty: forever.',
  ]),
]

const accounts = [
  row(['name_changes_disabled', 'check', 'Only administrators change names', 'Otherwise everybody their own.']),
  row([
    'email_changes_disabled',
    'check',
    'Only administrators change e-mail addresses',
    'Otherwise everybody their own.',
  ]),
  row(['avatar_changes_disabled', 'check', 'Only administrators change pictures', 'Otherwise everybody their own.']),
  row(['require_unique_names', 'check', 'Names are unique', 'No two people can have the same name.']),
  row(['presence_disabled', 'check', 'Hide who is here', 'Nobody sees who is active.']),
  row([
    'enable_spectator_access',
    'check',
    'Let people read without an account',
    'Only streams that are opened to everybody.',
  ]),
  row(['enable_guest_user_indicator', 'check', 'Mark guests', '“(guest)” stands after their names.']),
  row([
    'enable_guest_user_dm_warning',
    'check',
    'Warn before writing to guests',
    'Who writes to one of them directly is reminded of it.',
  ]),
  ofOwners([
    'waiting_period_threshold',
    'number',
    'Days until full membership',
    'Permissions can ask for full members.',
  ]),
  ofOwners([
    'emails_restricted_to_domains',
    'check',
    'Only addresses of certain domains',
    'New accounts must have one.',
  ]),
  ofOwners([
    'disallow_disposable_email_addresses',
    'check',
    'No throw-away addresses',
    'New accounts cannot have one.',
  ]),
]

const permissions = [
  ofOwners(['can_invite_users_group', 'permission', 'Invite people', 'By e-mail address, to make an account.']),
  ofOwners([
    'create_multiuse_invite_group',
    'permission',
    'Make invitation links',
    'Everybody who has the link can join.',
  ]),
  row([
    'can_create_public_channel_group',
    'permission',
    'Create public streams',
    'All members can find and join them.',
  ]),
  row(['can_create_private_channel_group', 'permission', 'Create private streams', 'Only who is added can see them.']),
  row([
    'can_create_web_public_channel_group',
    'permission',
    'Open streams to everybody',
    'Where people may read without an account.',
  ]),
  row(['can_add_subscribers_group', 'permission', 'Add others to streams', 'In any stream that they may see.']),
  row(['direct_message_initiator_group', 'permission', 'Begin direct conversations', 'Anybody in one may reply.']),
  row(['direct_message_permission_group', 'permission', 'Have direct conversations', 'One of them must be in each.']),
  row(['can_mention_many_users_group', 'permission', 'Mention everybody', 'With @all, in large streams.']),
  row(['can_delete_own_message_group', 'permission', 'Delete own messages', 'While the time to delete lasts.']),
  row(['can_delete_any_message_group', 'permission', 'Delete any message', 'Of any author, at any time.']),
  row(['can_move_messages_between_topics_group', 'permission', 'Move messages to other topics', 'Of the same stream.']),
  row([
    'can_move_messages_between_channels_group',
    'permission',
    'Move messages to other streams',
    'If they may write there.',
  ]),
  row(['can_resolve_topics_group', 'permission', 'Resolve topics', 'Mark them as done, and undo it.']),
  row(['can_create_groups', 'permission', 'Create groups', 'That can be mentioned and have permissions.']),
  ofOwners(['can_manage_all_groups', 'permission', 'Manage all groups', 'Their names, people and permissions.']),
  row(['can_add_custom_emoji_group', 'permission', 'Add emoji', 'Pictures that everybody can use.']),
  row(['can_create_bots_group', 'permission', 'Create bots', 'Of any kind, that read and write.']),
  row(['can_create_write_only_bots_group', 'permission', 'Create bots that only write', 'Such as of other services.']),
  row([
    'can_access_all_users_group',
    'permission',
    'See all people',
    'Others see only those they share a stream with.',
  ]),
]

/** The settings of the organization that can be changed, by the page that shows them. A new one is one line here. */
export const organizationPages = { about, messages, accounts, permissions } as const
