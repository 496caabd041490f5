import * as v from 'valibot'
import { type GroupGraph, groupGraph, groupSettingView } from '../access/group-graph.ts'
import type { Context } from '../kernel/context.ts'
import { servedHtml } from '../kernel/public-url.ts'
import { renderPlain } from '../markup/render/render-plain.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import { settingsOf } from '../settings/organization.ts'
import {
  isPermission,
  organizationSettings,
  type Permission,
  type Settings,
  settingNames,
} from '../settings/organization-table.ts'
import { shownEntries } from '../settings/setting.ts'
import type { GroupSettingValue } from '../shapes/group.ts'
import { authenticationMethods } from '../shapes/setting.ts'
import { integer } from '../shapes/values.ts'
import { providerInUse } from './calls/servers.ts'

/** The numbers that meant roles before permissions were groups. */
const policyOf: Readonly<Partial<Record<SystemGroupName, number>>> = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:everyone': 5,
  'role:nobody': 6,
  'role:owners': 7,
}

/** Policies by number, for clients that do not know groups as permissions, and the permission each is derived from. */
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
  wildcard_mention_policy: 'can_mention_many_users_group',
} as const satisfies Record<string, Permission>
type PolicyName = keyof typeof policies

const policyNames = Object.keys(policies) as PolicyName[]

const { authentication_methods: _, ...plainEntries } = shownEntries(organizationSettings)

/** Schemas of what `organizationView` returns. */
export const organizationViewEntries = {
  ...plainEntries,
  ...(Object.fromEntries(policyNames.map((name) => [name, integer])) as Record<PolicyName, typeof integer>),
  authentication_methods: authenticationMethods,
  allow_edit_history: v.boolean(),
  /** HTML. */
  rendered_description: v.string(),
  mandatory_topics: v.boolean(),
}
export type OrganizationView = v.InferOutput<v.StrictObjectSchema<typeof organizationViewEntries, undefined>>
type PlainView = v.InferOutput<v.StrictObjectSchema<typeof plainEntries, undefined>>

/** The organization as clients see it, by the names used in events; register prefixes them with `realm_`. */
export async function organizationView(caller: Context): Promise<OrganizationView> {
  const settings = await settingsOf(caller)
  const graph = await groupGraph.get(caller)
  const shown = settingNames.map((name) => {
    const value = settings[name]
    return [name, isPermission(name) ? groupSettingView(graph, value as GroupSettingValue | SystemGroupName) : value]
  })
  const numbers = policyNames.map((name) => [name, policyNumber(graph, settings, policies[name])])
  return {
    ...(Object.fromEntries(shown) as PlainView),
    ...(Object.fromEntries(numbers) as Record<PolicyName, number>),
    video_chat_provider: providerInUse(caller.chat, settings.video_chat_provider),
    authentication_methods: { Email: { enabled: true, available: true } },
    allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    rendered_description: servedHtml(caller.chat, renderPlain(settings.description)),
    mandatory_topics: settings.topics_policy === 'disable_empty_topic',
  }
}

/** The closest number, for a group that has none. */
function policyNumber(graph: GroupGraph, settings: Settings, permission: Permission): number {
  const value = settings[permission]
  const group = typeof value === 'number' ? graph.systemName.get(value) : value
  return (typeof group === 'string' && policyOf[group as SystemGroupName]) || policyOf['role:administrators']!
}
