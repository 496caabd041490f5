import * as v from 'valibot'
import { MAX_TERMS_LENGTH, MAX_WELCOME_TEXT_LENGTH } from '../kernel/base/limits.ts'
import { bool as boolean, text } from '../kernel/fields.ts'
import { gifRatings, languages, organizationTypes, videoChatProviders } from './choices.ts'
import {
  bool,
  color,
  custom,
  int,
  limit,
  multilineString,
  nonEmptyString,
  nullableInt,
  nullableUrl,
  oneOf,
  permission,
  stream,
  string,
} from './kinds.ts'
import {
  client,
  kept,
  namesOf,
  ownerOnly,
  type SettingsTable,
  type StoredValues,
  server,
  unsupported,
} from './setting.ts'

const everyone = { everyone: true }
const ids = <T extends number>(choices: Record<string, { id: T }>) => Object.values(choices).map(({ id }) => id)

/** Ways to sign in; at least one must be enabled. */
const authenticationMethods = ['Email']
const authentication = custom(
  v.pipe(
    v.record(text, boolean),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const unknown = Object.keys(dataset.value).find((method) => !authenticationMethods.includes(method))
      const valid = authenticationMethods.map((method) => `'${method}'`).join(', ')
      if (unknown !== undefined) {
        addIssue({ message: `Invalid authentication method: ${unknown}. Valid methods are: [${valid}]` })
      } else if (!Object.values(dataset.value).includes(true)) {
        addIssue({ message: 'At least one authentication method must be enabled.' })
      }
    }),
  ),
  { Email: true },
  v.record(v.string(), boolean),
)

/** Every organization setting; administrators may change them. `register` shows each as `realm_<name>`. */
export const organizationSettings = {
  // Permissions
  can_access_all_users_group: server(
    permission('role:everyone', { everyone: true, nobody: false, system: ['role:everyone', 'role:members'] }),
  ),
  can_add_custom_emoji_group: server(permission('role:members')),
  can_bypass_content_filters_group: server(permission('role:moderators')),
  can_add_subscribers_group: server(permission('role:members')),
  can_create_groups: server(permission('role:members')),
  can_create_bots_group: server(permission('role:members')),
  can_create_write_only_bots_group: server(permission('role:members')),
  can_create_public_channel_group: server(permission('role:members')),
  can_create_private_channel_group: server(permission('role:members')),
  can_create_web_public_channel_group: server(
    permission('role:owners', {
      system: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
    }),
  ),
  can_delete_any_message_group: server(permission('role:administrators')),
  // Specification, Authentication 2: only administrators may delete messages, even their own.
  can_delete_own_message_group: server(permission('role:administrators', everyone)),
  can_invite_users_group: ownerOnly(server(permission('role:members'))),
  can_manage_all_groups: ownerOnly(server(permission('role:owners', { nobody: false }))),
  can_manage_billing_group: ownerOnly(
    unsupported(permission('role:administrators', { nobody: false }), "doesn't support billing"),
  ),
  can_mention_many_users_group: server(permission('role:administrators', everyone)),
  can_move_messages_between_channels_group: server(permission('role:members')),
  can_move_messages_between_topics_group: server(permission('role:everyone', everyone)),
  can_resolve_topics_group: server(permission('role:everyone', everyone)),
  can_set_delete_message_policy_group: server(permission('role:moderators')),
  can_set_topics_policy_group: server(permission('role:members', everyone)),
  can_summarize_topics_group: unsupported(
    permission('role:everyone', everyone),
    "doesn't support topic summaries",
    'role:nobody',
  ),
  create_multiuse_invite_group: ownerOnly(server(permission('role:administrators'))),
  direct_message_initiator_group: server(permission('role:everyone', everyone)),
  direct_message_permission_group: server(permission('role:everyone', everyone)),

  // Messages
  allow_message_editing: server(bool(true)),
  message_edit_history_visibility_policy: server(oneOf('all', ['all', 'moves', 'none'])),
  message_content_edit_limit_seconds: server(nullableInt(600)),
  message_content_delete_limit_seconds: server(nullableInt(null)),
  move_messages_within_stream_limit_seconds: server(nullableInt(604_800)),
  move_messages_between_streams_limit_seconds: server(nullableInt(604_800)),
  topics_policy: server(oneOf('allow_empty_topic', ['allow_empty_topic', 'disable_empty_topic'])),
  message_retention_days: ownerOnly(server(limit(-1, -1))),
  enable_read_receipts: server(bool(true)),
  inline_image_preview: server(bool(true)),
  inline_url_embed_preview: server(bool(false)),
  video_chat_provider: client(oneOf(0, ids(videoChatProviders), 'Invalid {name} {value}')),
  jitsi_server_url: client(nullableUrl(200)),
  call_url_template: client(nullableUrl(200)),
  gif_rating_policy: client(oneOf(1, ids(gifRatings), 'Invalid {name} {value}')),
  media_preview_size: client(oneOf(100, [100, 150, 200])),
  default_code_block_language: server(string('', 80)),

  // Accounts
  authentication_methods: ownerOnly(
    unsupported(authentication, 'supports only email address and password for signing in'),
  ),
  audit_retention_days: ownerOnly(server(nullableInt(400))),
  second_factor_required_for: ownerOnly(
    server(oneOf('nobody', ['nobody', 'owners', 'administrators', 'moderators', 'members', 'everyone'])),
  ),
  session_max_days: ownerOnly(server(nullableInt(30))),
  session_idle_days: ownerOnly(server(nullableInt(14))),
  api_token_max_days: ownerOnly(server(nullableInt(null))),
  waiting_period_threshold: ownerOnly(server(int(0, 0, 100_000))),
  hold_first_messages: server(int(0, 0, 100)),
  hold_new_accounts_days: server(int(0, 0, 365)),
  invite_required: ownerOnly(server(bool(true))),
  terms_text: ownerOnly(server(multilineString('', MAX_TERMS_LENGTH))),
  terms_version: ownerOnly(server(int(1, 1, 1_000_000))),
  terms_required_after: ownerOnly(server(nullableInt(null))),
  emails_restricted_to_domains: ownerOnly(server(bool(false))),
  disallow_disposable_email_addresses: ownerOnly(server(bool(true))),
  name_changes_disabled: server(bool(false)),
  email_changes_disabled: server(bool(false)),
  avatar_changes_disabled: server(bool(false)),
  require_unique_names: server(bool(false)),
  enable_guest_user_indicator: client(bool(true)),
  enable_guest_user_dm_warning: client(bool(true)),
  presence_disabled: server(bool(false)),
  send_welcome_emails: server(bool(true)),

  default_avatar_source: server(oneOf('G', ['G', 'J'])),
  workplace_users_group: unsupported(permission('role:everyone', everyone), "doesn't support billing"),
  upload_quota_mib: ownerOnly(server(nullableInt(null))),

  // The organization
  name: client(nonEmptyString('', 40)),
  description: client(multilineString('', 1000)),
  accent_color: client(color()),
  org_type: client(oneOf(0, Object.values(organizationTypes))),
  want_advertise_in_communities_directory: unsupported(bool(false), "isn't listed in a directory"),
  enable_spectator_access: server(bool(false)),
  default_language: server(oneOf('en', languages, "Invalid language '{value}'")),
  digest_emails_enabled: server(bool(false)),
  digest_weekday: server(oneOf(1, [0, 1, 2, 3, 4, 5, 6])),
  message_content_allowed_in_email_notifications: server(bool(true)),
  new_stream_announcements_stream_id: server(stream()),
  signup_announcements_stream_id: server(stream()),
  zulip_update_announcements_stream_id: unsupported(stream(), "doesn't announce updates"),
  moderation_request_channel_id: server(stream()),
  send_channel_events_messages: server(bool(true)),
  welcome_message_custom_text: server(multilineString('', MAX_WELCOME_TEXT_LENGTH)),
  require_e2ee_push_notifications: kept(bool(false), 'encrypts every push notification'),
} satisfies SettingsTable

export type OrganizationSettings = typeof organizationSettings
export type SettingName = keyof OrganizationSettings
export type Settings = StoredValues<OrganizationSettings>

export const settingNames = namesOf(organizationSettings)

/** Returns whether it is the name of a permission, whose value is a group or a set of users and groups. */
export const isPermission = (name: string): name is Permission =>
  (organizationSettings as SettingsTable)[name]?.kind === 'permission'

/** Settings whose value is who may do something. */
export type Permission = {
  [N in SettingName]: OrganizationSettings[N] extends { kind: 'permission' } ? N : never
}[SettingName]
