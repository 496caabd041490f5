import type { Soon } from '../../storage/index.ts'
import { allows } from '../access/permissions.ts'
import type { Caller } from '../kernel/context.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import { permission } from '../settings/kinds.ts'
import { namesOf, type SettingsTable, server } from '../settings/setting.ts'
import type { GroupSettingValue } from '../shapes/group.ts'

const everyone = { everyone: true }

/**
 * A stream's own permissions and their defaults. Those about messages add to the organization's, except that
 * `can_create_topic_group` and `can_send_message_group` are the stream's alone.
 */
export const streamSettings = {
  can_add_subscribers_group: server(permission('role:nobody')),
  /** The creator of a stream administers it; a stream without a creator, such as the first, has no such user. */
  can_administer_channel_group: server(permission('role:nobody', {}, 'channel_creator')),
  can_create_topic_group: server(permission('role:everyone', everyone)),
  can_delete_any_message_group: server(permission('role:nobody', everyone)),
  can_delete_own_message_group: server(permission('role:nobody', everyone)),
  can_move_messages_out_of_channel_group: server(permission('role:nobody', everyone)),
  can_move_messages_within_channel_group: server(permission('role:nobody', everyone)),
  can_remove_subscribers_group: server(permission('role:administrators', everyone)),
  can_resolve_topics_group: server(permission('role:nobody', everyone)),
  can_send_message_group: server(permission('role:everyone', everyone)),
  can_subscribe_group: server(permission('role:nobody')),
} satisfies SettingsTable

export type StreamSettingName = keyof typeof streamSettings
export type StreamSettings = Partial<Record<StreamSettingName, GroupSettingValue>>

export const streamSettingNames = namesOf(streamSettings)

/** Permissions that include reading. Only users who can read the stream may grant them. */
export const givesContent: ReadonlySet<StreamSettingName> = new Set([
  'can_add_subscribers_group',
  'can_subscribe_group',
])

/** Permissions that only users with `can_set_delete_message_policy_group` give. */
export const aboutDeleting: ReadonlySet<StreamSettingName> = new Set([
  'can_delete_any_message_group',
  'can_delete_own_message_group',
])

export const streamSetting = (stored: string, name: StreamSettingName): GroupSettingValue | SystemGroupName =>
  storedSettings(stored)[name] ?? streamSettings[name].default

/** By their JSON. Read at each send, and most streams have the same few. */
const parsed = new Map<string, StreamSettings>()
const MAX_PARSED = 1000

function storedSettings(stored: string): StreamSettings {
  const known = parsed.get(stored)
  if (known) return known
  if (parsed.size >= MAX_PARSED) parsed.clear()
  const settings = JSON.parse(stored) as StreamSettings
  parsed.set(stored, settings)
  return settings
}

/** Whether one of a stream's own permissions includes the caller. */
export const allowsInStream = (
  caller: Caller,
  { settings }: { settings: string },
  name: StreamSettingName,
): Soon<boolean> => allows(caller, streamSetting(settings, name), streamSettings[name])
