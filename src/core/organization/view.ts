import { type GroupGraph, groupGraph, groupSettingView } from '../access/group-graph.ts'
import type { Context } from '../context.ts'
import type { GroupSettingValue, SystemGroupName } from '../settings/group-setting-value.ts'
import { organizationSettings, type SettingName, type Settings, settingsOf } from '../settings/organization.ts'
import { organizationOf } from './organization.ts'

/** Whether a setting says who may do something. */
export const isGroupSetting = (name: SettingName): boolean => {
  const initial: unknown = organizationSettings[name].default
  return typeof initial === 'string' && initial.startsWith('role:')
}

/** The numbers that stood for roles before permissions were groups. */
const policyOf: Readonly<Partial<Record<SystemGroupName, number>>> = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:everyone': 5,
  'role:nobody': 6,
  'role:owners': 7,
}

/** Policies by number, for clients that read no groups, and the permission that each follows. */
const policies: Readonly<Record<string, SettingName>> = {
  add_custom_emoji_policy: 'can_add_custom_emoji_group',
  bot_creation_policy: 'can_create_bots_group',
  create_private_stream_policy: 'can_create_private_channel_group',
  create_public_stream_policy: 'can_create_public_channel_group',
  create_web_public_stream_policy: 'can_create_web_public_channel_group',
  delete_own_message_policy: 'can_delete_own_message_group',
  edit_topic_policy: 'can_move_messages_between_topics_group',
  invite_to_realm_policy: 'can_invite_users_group',
  invite_to_stream_policy: 'can_add_subscribers_group',
  move_messages_between_streams_policy: 'can_move_messages_between_channels_group',
  user_group_edit_policy: 'can_create_groups',
}

/** The organization as clients are shown it, by the names that events use; register puts `realm_` before them. */
export async function organizationView(caller: Context): Promise<Record<string, unknown>> {
  const settings = await settingsOf(caller)
  const graph = await groupGraph.get(caller)
  const { name, description } = await organizationOf(caller)
  const shown: Record<string, unknown> = {}
  for (const key of Object.keys(organizationSettings) as SettingName[]) {
    const value = settings[key]
    shown[key] = isGroupSetting(key) ? groupSettingView(graph, value as GroupSettingValue | SystemGroupName) : value
  }
  for (const [key, permission] of Object.entries(policies)) shown[key] = policyNumber(graph, settings, permission)
  return {
    ...shown,
    name,
    description: description || settings.description,
    private_message_policy: policyNumber(graph, settings, 'direct_message_permission_group') === 6 ? 2 : 1,
    night_logo_source: 'D',
    logo_source: 'D',
    icon_source: 'G',
  }
}

/** The nearest number, for a group that has none. */
function policyNumber(graph: GroupGraph, settings: Settings, permission: SettingName): number {
  const value = settings[permission]
  const group = typeof value === 'number' ? graph.systemName.get(value) : value
  return (typeof group === 'string' && policyOf[group as SystemGroupName]) || policyOf['role:administrators']!
}
