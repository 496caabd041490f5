import type { ClientState } from '../../../src/client/index.ts'
import { locale } from '../../model/state/language.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { rowsOf, type Setting, type SettingKind, themed } from './setting.ts'

/** Names of the organization's settings, for `updateOrganization`. */
export type SettingName = keyof ClientState extends infer K ? (K extends `realm_${infer N}` ? N : never) : never

const { choices } = pageTexts
const row = rowsOf<SettingName>()(pageTexts.organizationSettings)
const ofOwners = (name: Parameters<typeof row>[0], kind: SettingKind): Setting<SettingName> => ({
  ...row(name, kind),
  who: 'owner',
})

const kindsOfOrganization = [
  [0, pageTexts.common.notSet],
  [10, choices.business],
  [20, choices.openSource],
  [30, choices.educationNonProfit],
  [35, choices.educationForProfit],
  [40, choices.research],
  [50, choices.event],
  [60, choices.nonProfit],
  [70, choices.government],
  [80, choices.politicalGroup],
  [90, choices.community],
  [100, choices.personal],
  [1000, choices.other],
] as const

/** From Monday on, which is 0. */
const weekdays = Array.from({ length: 7 }, (_, day) => {
  const name = new Intl.DateTimeFormat(locale.value, { weekday: 'long', timeZone: 'UTC' })
  return [day, name.format(Date.UTC(2024, 0, 1 + day))] as const
})

const about = [
  row('name', 'line'),
  row('description', 'lines'),
  row('accent_color', 'color'),
  row('org_type', kindsOfOrganization),
  row('default_language', 'language'),
  row('new_stream_announcements_stream_id', 'stream'),
  row('signup_announcements_stream_id', 'stream'),
  row('moderation_request_channel_id', 'stream'),
  row('welcome_message_custom_text', 'lines'),
  ofOwners('upload_quota_mib', 'limit'),
]

const messages = [
  ...themed(pageTexts.themes.editing, [
    row('allow_message_editing', 'check'),
    row('message_content_edit_limit_seconds', 'duration'),
    row('message_content_delete_limit_seconds', 'duration'),
    row('message_edit_history_visibility_policy', [
      ['all', choices.editsAndMoves],
      ['moves', choices.movesOnly],
      ['none', choices.noHistory],
    ]),
    row('move_messages_within_stream_limit_seconds', 'duration'),
    row('move_messages_between_streams_limit_seconds', 'duration'),
  ]),
  ...themed(pageTexts.themes.topics, [
    row('topics_policy', [
      ['allow_empty_topic', choices.generalChatAllowed],
      ['disable_empty_topic', choices.topicRequired],
    ]),
    row('send_channel_events_messages', 'check'),
  ]),
  ...themed(pageTexts.themes.media, [
    row('inline_image_preview', 'check'),
    row('inline_url_embed_preview', 'check'),
    row('media_preview_size', [
      [100, choices.small],
      [150, choices.medium],
      [200, choices.large],
    ]),
    row('gif_rating_policy', [
      [0, choices.noGifs],
      [1, choices.ratedG],
      [2, choices.ratedPg],
      [3, choices.ratedPg13],
      [4, choices.ratedR],
    ]),
    row('default_code_block_language', 'line'),
    row('video_chat_provider', 'calls'),
    row('jitsi_server_url', 'address'),
    row('call_url_template', 'address'),
  ]),
  ...themed(pageTexts.sections.mail, [
    row('message_content_allowed_in_email_notifications', 'check'),
    row('send_welcome_emails', 'check'),
    row('digest_emails_enabled', 'check'),
    row('digest_weekday', weekdays),
  ]),
  ...themed(pageTexts.themes.privacy, [
    row('enable_read_receipts', 'check'),
    ofOwners('message_retention_days', 'limit'),
  ]),
]

const accounts = [
  ...themed(pageTexts.sections.profile, [
    row('name_changes_disabled', 'check'),
    row('email_changes_disabled', 'check'),
    row('avatar_changes_disabled', 'check'),
    row('default_avatar_source', [
      ['G', choices.gravatar],
      ['J', choices.geometric],
    ]),
    row('require_unique_names', 'check'),
    row('presence_disabled', 'check'),
    row('enable_guest_user_indicator', 'check'),
    row('enable_guest_user_dm_warning', 'check'),
  ]),
  ...themed(pageTexts.sections.newcomers, [
    ofOwners('invite_required', 'check'),
    ofOwners('emails_restricted_to_domains', 'check'),
    ofOwners('disallow_disposable_email_addresses', 'check'),
    ofOwners('waiting_period_threshold', 'number'),
    row('hold_first_messages', 'number'),
    row('hold_new_accounts_days', 'number'),
    ofOwners('terms_text', 'lines'),
    ofOwners('terms_version', 'number'),
    ofOwners('terms_required_after', 'day'),
  ]),
  ...themed(pageTexts.themes.signIn, [
    ofOwners('second_factor_required_for', [
      ['nobody', choices.nobody],
      ['owners', choices.owners],
      ['administrators', choices.administrators],
      ['moderators', choices.moderators],
      ['members', choices.members],
      ['everyone', choices.everyone],
    ]),
    ofOwners('session_max_days', 'limit'),
    ofOwners('session_idle_days', 'limit'),
    ofOwners('api_token_max_days', 'limit'),
    ofOwners('audit_retention_days', 'limit'),
    row('enable_spectator_access', 'check'),
  ]),
]

const permissions = [
  ...themed(pageTexts.sections.invitations, [
    ofOwners('can_invite_users_group', 'permission'),
    ofOwners('create_multiuse_invite_group', 'permission'),
  ]),
  ...themed(texts.places.channels, [
    row('can_create_public_channel_group', 'permission'),
    row('can_create_private_channel_group', 'permission'),
    row('can_create_web_public_channel_group', 'permission'),
    row('can_add_subscribers_group', 'permission'),
  ]),
  ...themed(pageTexts.sections.messages, [
    row('direct_message_initiator_group', 'permission'),
    row('direct_message_permission_group', 'permission'),
    row('can_mention_many_users_group', 'permission'),
    row('can_delete_own_message_group', 'permission'),
    row('can_delete_any_message_group', 'permission'),
    row('can_set_delete_message_policy_group', 'permission'),
    row('can_bypass_content_filters_group', 'permission'),
  ]),
  ...themed(pageTexts.themes.topics, [
    row('can_set_topics_policy_group', 'permission'),
    row('can_move_messages_between_topics_group', 'permission'),
    row('can_move_messages_between_channels_group', 'permission'),
    row('can_resolve_topics_group', 'permission'),
  ]),
  ...themed(pageTexts.sections.groups, [
    row('can_create_groups', 'permission'),
    ofOwners('can_manage_all_groups', 'permission'),
  ]),
  ...themed(pageTexts.choices.other, [
    row('can_add_custom_emoji_group', 'permission'),
    row('can_create_bots_group', 'permission'),
    row('can_create_write_only_bots_group', 'permission'),
    row('can_access_all_users_group', 'permission'),
  ]),
]

/** The organization's editable settings, by page. A new one needs one line here. */
export const organizationPages = { about, messages, accounts, permissions } as const
