import * as v from 'valibot'
import { can } from '../access/permissions.ts'
import { areSpectatorsAdmitted } from '../access/spectators.ts'
import { botDomain } from '../bots/domain.ts'
import { statePart } from '../events/log/state-part.ts'
import { thumbnailFormats } from '../files/images/formats.ts'
import { isSharpInstalled } from '../files/images/sharp.ts'
import { groupSettings } from '../groups/settings.ts'
import {
  API_VERSION,
  EMPTY_TOPIC_DISPLAY_NAME,
  LONG_POLL_SECONDS,
  MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  MAX_FOLDER_DESCRIPTION_LENGTH,
  MAX_FOLDER_NAME_LENGTH,
  MAX_PICTURE_MIB,
  MAX_REMINDER_NOTE_LENGTH,
  MAX_STREAM_DESCRIPTION_LENGTH,
  MAX_STREAM_NAME_LENGTH,
  MAX_TOPIC_LENGTH,
  MIN_PASSWORD_LENGTH,
  PRESENCE_OFFLINE_SECONDS,
  PRESENCE_PING_SECONDS,
  TYPING_STARTED_EXPIRY_MS,
  TYPING_STARTED_WAIT_MS,
  TYPING_STOPPED_WAIT_MS,
} from '../kernel/base/limits.ts'
import type { Context } from '../kernel/context.ts'
import { isAdministrator, isGuest, isOwner, roles } from '../kernel/roles.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { receivesMail } from '../mail/incoming-address.ts'
import { sendsMail } from '../mail/mail-service.ts'
import { externalAccounts, gifRatings, JITSI_SERVER_URL, reportTypes } from '../settings/choices.ts'
import { organizationSettings, type Permission } from '../settings/organization-table.ts'
import type { SettingsTable } from '../settings/setting.ts'
import { organizationEntries, ownEntries, serverEntries } from '../shapes/organization.ts'
import { integer } from '../shapes/values.ts'
import { streamSettings } from '../streams/settings.ts'
import { offeredProviders } from './calls/servers.ts'
import { picturesView } from './pictures.ts'
import { organizationView, organizationViewEntries } from './view.ts'

/** The one organization of this database. */
async function organizationOf({ db }: Pick<Context, 'db'>) {
  return db.selectFrom('organization').selectAll().executeTakeFirstOrThrow()
}

/** The values that clients may offer for each permission of a table. */
const permissionsOf = (table: SettingsTable, default_for_system_groups: string | null = null) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, setting]) => {
      if (setting.kind !== 'permission') return []
      const { everyone, nobody, system } = setting.rules
      const shown = {
        require_system_group: system !== undefined,
        allow_internet_group: false,
        allow_nobody_group: nobody,
        allow_everyone_group: everyone,
        default_group_name: setting.initial,
        default_for_system_groups,
        allowed_system_groups: [...(system ?? [])],
      }
      return [[name, shown] as const]
    }),
  )

/** Every permission whose value is a group, from the settings tables of the organization, streams and groups. */
const supportedPermissions = {
  realm: permissionsOf(organizationSettings),
  stream: permissionsOf(streamSettings),
  group: permissionsOf(groupSettings, 'role:nobody'),
}

export const EMOJI_DATA_PATH = '/static/emoji.json'

/** Present in every register answer, whatever was requested. */
export const serverState = statePart(
  { zulip_version: v.string(), zulip_feature_level: integer, zulip_merge_base: v.string() },
  async ({ chat }) => ({
    zulip_version: API_VERSION,
    zulip_feature_level: chat.options.featureLevel,
    zulip_merge_base: API_VERSION,
  }),
)

const prefixed = <T extends object>(shown: T) =>
  Object.fromEntries(Object.entries(shown).map(([name, value]) => [`realm_${name}`, value])) as {
    [N in keyof T & string as `realm_${N}`]: T[N]
  }

const entries = { ...prefixed(organizationViewEntries), ...organizationEntries, ...serverEntries }

/** The organization, its settings, and the server's own limits. */
export const organizationState = statePart(entries, async (tx) => {
  const { created_at, uuid } = await organizationOf(tx)
  const view = await organizationView(tx)
  return {
    ...prefixed(view),
    realm_date_created: created_at,
    realm_uuid: uuid,
    realm_owner_full_content_access: false,
    realm_url: tx.origin,
    realm_uri: tx.origin,
    realm_bot_domain: botDomain(tx),
    ...prefixed(await picturesView(tx)),
    realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
    realm_password_auth_enabled: true,
    realm_email_auth_enabled: true,
    realm_push_notifications_enabled: tx.chat.options.pushService !== '',
    realm_push_notifications_enabled_end_timestamp: null,
    realm_plan_type: 1,
    realm_available_video_chat_providers: offeredProviders(tx.chat),
    realm_default_external_accounts: externalAccounts,
    zulip_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: '',
    server_generation: tx.chat.openedAt,
    server_presence_ping_interval_seconds: PRESENCE_PING_SECONDS,
    server_presence_offline_threshold_seconds: PRESENCE_OFFLINE_SECONDS,
    server_typing_started_expiry_period_milliseconds: TYPING_STARTED_EXPIRY_MS,
    server_typing_stopped_wait_period_milliseconds: TYPING_STOPPED_WAIT_MS,
    server_typing_started_wait_period_milliseconds: TYPING_STARTED_WAIT_MS,
    server_receives_email: receivesMail(tx.chat),
    server_inline_image_preview: true,
    server_thumbnail_formats: isSharpInstalled() ? [...thumbnailFormats] : [],
    server_inline_url_embed_preview: true,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_needs_upgrade: false,
    server_web_public_streams_enabled: true,
    server_emoji_data_url: `${tx.origin}${EMOJI_DATA_PATH}`,
    server_jitsi_server_url: JITSI_SERVER_URL,
    server_can_summarize_topics: false,
    server_min_deactivated_realm_deletion_days: 0,
    server_max_deactivated_realm_deletion_days: null,
    server_supported_permission_settings: supportedPermissions,
    settings_send_digest_emails: await sendsMail(tx),
    development_environment: false,
    event_queue_longpoll_timeout_seconds: LONG_POLL_SECONDS,
    gif_rating_policy_options: gifRatings,
    jitsi_server_url: view.jitsi_server_url ?? JITSI_SERVER_URL,
    password_min_length: MIN_PASSWORD_LENGTH,
    password_max_length: 1000,
    password_min_guesses: 0,
    max_stream_name_length: MAX_STREAM_NAME_LENGTH,
    max_stream_description_length: MAX_STREAM_DESCRIPTION_LENGTH,
    max_channel_folder_name_length: MAX_FOLDER_NAME_LENGTH,
    max_channel_folder_description_length: MAX_FOLDER_DESCRIPTION_LENGTH,
    max_topic_length: MAX_TOPIC_LENGTH,
    max_reminder_note_length: MAX_REMINDER_NOTE_LENGTH,
    server_report_message_types: [...reportTypes],
    max_bulk_new_subscription_messages: MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
    max_message_length: tx.chat.options.limits.messageBytes,
    max_file_upload_size_mib: tx.chat.options.maxFileUploadSizeMib,
    max_avatar_file_size_mib: MAX_PICTURE_MIB,
    max_icon_file_size_mib: MAX_PICTURE_MIB,
    max_logo_file_size_mib: MAX_PICTURE_MIB,
  }
})

/** The user's role and permissions. */
export const ownState = statePart(ownEntries, async (tx) => {
  const { user } = tx
  const may = async (permission: Permission) => !isSpectator(user) && can(tx, permission)
  const makesPublic = await may('can_create_public_channel_group')
  const makesPrivate = await may('can_create_private_channel_group')
  return {
    can_create_streams: makesPublic || makesPrivate,
    can_create_public_streams: makesPublic,
    can_create_private_streams: makesPrivate,
    can_create_web_public_streams:
      (await areSpectatorsAdmitted(tx)) && (await may('can_create_web_public_channel_group')),
    can_invite_others_to_realm: await may('can_invite_users_group'),
    is_owner: isOwner(user),
    is_admin: isAdministrator(user),
    is_moderator: user.role <= roles.moderator,
    is_guest: isGuest(user),
    user_id: user.id,
    email: user.email,
    delivery_email: user.delivery_email,
    full_name: user.full_name,
  }
})
