import * as v from 'valibot'
import { type GroupGraph, groupGraph, groupSettingView } from '../access/group-graph.ts'
import type { Context } from '../context.ts'
import type { GroupSettingValue, SystemGroupName } from '../settings/group-setting-value.ts'
import { organizationSettings, type SettingName, type Settings, settingsOf } from '../settings/organization.ts'
import { groupSettingValue } from '../shapes/group.ts'
import { integer } from '../shapes/values.ts'
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
const policies = {
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
} as const satisfies Record<string, SettingName>
type PolicyName = keyof typeof policies

const names = Object.keys(organizationSettings) as SettingName[]
const policyNames = Object.keys(policies) as PolicyName[]

/** A setting as clients are shown it: a permission's default by the group's id, not by its name. */
type ShownSettings = {
  [N in SettingName]: GroupSettingValue extends Settings[N] ? GroupSettingValue : Settings[N]
}

/** Schemas of what `shownOrganization` answers. */
export const shownEntries = {
  ...(Object.fromEntries(
    names.map((name) => [name, isGroupSetting(name) ? groupSettingValue : organizationSettings[name].schema]),
  ) as { [N in SettingName]: v.GenericSchema<ShownSettings[N]> }),
  ...(Object.fromEntries(policyNames.map((name) => [name, integer])) as Record<PolicyName, typeof integer>),
  name: v.string(),
  description: v.string(),
  private_message_policy: integer,
  night_logo_source: v.string(),
  logo_source: v.string(),
  icon_source: v.string(),
}
export type OrganizationView = v.InferOutput<v.StrictObjectSchema<typeof shownEntries, undefined>>

/** The organization as clients are shown it, by the names that events use; register puts `realm_` before them. */
export async function organizationView(caller: Context): Promise<OrganizationView> {
  const settings = await settingsOf(caller)
  const graph = await groupGraph.get(caller)
  const { name, description } = await organizationOf(caller)
  const shown = names.map((key) => {
    const value = settings[key]
    return [key, isGroupSetting(key) ? groupSettingView(graph, value as GroupSettingValue | SystemGroupName) : value]
  })
  const numbers = policyNames.map((key) => [key, policyNumber(graph, settings, policies[key])])
  return {
    ...(Object.fromEntries(shown) as ShownSettings),
    ...(Object.fromEntries(numbers) as Record<PolicyName, number>),
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
