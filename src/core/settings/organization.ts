import * as v from 'valibot'
import type { Db } from '../../storage/index.ts'
import type { Role } from '../action.ts'
import { defineCache } from '../cache.ts'
import type { Context, Tx } from '../context.ts'
import { bool, integer, text } from '../fields.ts'
import { type GroupSettingValue, groupSetting, type SystemGroupName } from './group-setting-value.ts'

/** A setting of the organization: what it may be, what it is at first, who may change it. */
export interface Setting<T = unknown> {
  schema: v.GenericSchema<unknown, T>
  default: T
  who: Extract<Role, 'administrator' | 'owner'>
}

const setting = <T>(
  schema: v.GenericSchema<unknown, T>,
  initial: T,
  who: Setting['who'] = 'administrator',
): Setting<T> => ({
  schema,
  default: initial,
  who,
})
const yes = (initial: boolean, who?: Setting['who']) => setting<boolean>(bool, initial, who)
const int = (initial: number, who?: Setting['who']) => setting<number>(integer, initial, who)
const words = (initial: string, who?: Setting['who']) => setting<string>(text, initial, who)
const maybe = (initial: number | null, who?: Setting['who']) =>
  setting<number | null>(v.nullable(integer), initial, who)
/** A permission: who has it, named by a system group until the organization says otherwise. */
const group = (initial: SystemGroupName, who?: Setting['who']) =>
  setting<GroupSettingValue | SystemGroupName>(groupSetting, initial, who)

/** Every organization setting there is. `register` shows each as `realm_<name>`. */
export const organizationSettings = {
  // Permissions
  can_access_all_users_group: group('role:everyone'),
  can_add_custom_emoji_group: group('role:members'),
  can_add_subscribers_group: group('role:members'),
  can_create_groups: group('role:members'),
  can_create_bots_group: group('role:members'),
  can_create_write_only_bots_group: group('role:members'),
  can_create_public_channel_group: group('role:members'),
  can_create_private_channel_group: group('role:members'),
  can_create_web_public_channel_group: group('role:owners', 'owner'),
  // Specification, Authentication 2: deleting is for administrators, of their own messages too.
  can_delete_any_message_group: group('role:administrators'),
  can_delete_own_message_group: group('role:administrators'),
  can_invite_users_group: group('role:members'),
  can_manage_all_groups: group('role:owners', 'owner'),
  can_manage_billing_group: group('role:administrators', 'owner'),
  can_mention_many_users_group: group('role:administrators'),
  can_move_messages_between_channels_group: group('role:members'),
  can_move_messages_between_topics_group: group('role:everyone'),
  can_resolve_topics_group: group('role:everyone'),
  can_summarize_topics_group: group('role:everyone'),
  create_multiuse_invite_group: group('role:administrators'),
  direct_message_initiator_group: group('role:everyone'),
  direct_message_permission_group: group('role:everyone'),

  // Messages
  allow_message_editing: yes(true),
  allow_edit_history: yes(true),
  message_content_edit_limit_seconds: maybe(600),
  message_content_delete_limit_seconds: maybe(null),
  move_messages_within_stream_limit_seconds: maybe(604800),
  move_messages_between_streams_limit_seconds: maybe(604800),
  mandatory_topics: yes(false),
  message_retention_days: int(-1, 'owner'),
  enable_read_receipts: yes(true),
  inline_image_preview: yes(true),
  inline_url_embed_preview: yes(false),
  wildcard_mention_policy: int(5),
  video_chat_provider: int(0),
  jitsi_server_url: setting<string | null>(v.nullable(text), null),
  giphy_rating: int(0),
  default_code_block_language: words(''),

  // Accounts
  waiting_period_threshold: int(0),
  invite_required: yes(true),
  emails_restricted_to_domains: yes(false),
  disallow_disposable_email_addresses: yes(true),
  name_changes_disabled: yes(false),
  email_changes_disabled: yes(false),
  avatar_changes_disabled: yes(false),
  require_unique_names: yes(false),
  enable_guest_user_indicator: yes(true),
  enable_guest_user_dm_warning: yes(true),
  presence_disabled: yes(false),
  send_welcome_emails: yes(false),

  // The organization
  org_type: int(0),
  want_advertise_in_communities_directory: yes(false),
  enable_spectator_access: yes(false),
  default_language: words('en'),
  digest_emails_enabled: yes(false),
  digest_weekday: int(1),
  message_content_allowed_in_email_notifications: yes(true),
  new_stream_announcements_stream_id: int(-1),
  signup_announcements_stream_id: int(-1),
  zulip_update_announcements_stream_id: int(-1),
  moderation_request_channel_id: int(-1),
  welcome_message_custom_text: words(''),
  description: words('An organization on chat-server.'),
} satisfies Record<string, Setting>

export type SettingName = keyof typeof organizationSettings
type ValueOf<S> = S extends Setting<infer T> ? T : never
export type Settings = { readonly [N in SettingName]: ValueOf<(typeof organizationSettings)[N]> }

/** All settings, defaults included. */
export const organizationSettingsCache = defineCache('organization-settings', loadSettings)

export const settingsOf = (caller: Context): Promise<Settings> => organizationSettingsCache.get(caller)

async function loadSettings(db: Db): Promise<Settings> {
  const settings: Record<string, unknown> = {}
  for (const [name, { default: initial }] of Object.entries(organizationSettings)) settings[name] = initial
  for (const row of await db.selectFrom('organization_setting').selectAll().execute()) {
    if (row.name in settings) settings[row.name] = JSON.parse(row.value)
  }
  return settings as Settings
}

/** Stores a checked value. The caller emits the event. */
export async function putSetting(tx: Tx, name: SettingName, value: unknown): Promise<void> {
  const json = JSON.stringify(value)
  await tx.db
    .insertInto('organization_setting')
    .values({ name, value: json })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value: json }))
    .execute()
  organizationSettingsCache.invalidate(tx)
}
