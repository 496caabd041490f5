import type { GroupSettingValue } from '../../core/shapes/group.ts'
import type { ClientState } from './client-state.ts'

/** The user's rights in register's response, and the permissions they follow from. */
const rights = {
  can_create_public_streams: 'realm_can_create_public_channel_group',
  can_create_private_streams: 'realm_can_create_private_channel_group',
  can_create_web_public_streams: 'realm_can_create_web_public_channel_group',
  can_invite_others_to_realm: 'realm_can_invite_users_group',
} as const

/** No event announces these. Clients compute them from groups and permissions. */
export function deriveOwnRights(state: ClientState): void {
  for (const [right, permission] of Object.entries(rights) as [
    keyof typeof rights,
    (typeof rights)[keyof typeof rights],
  ][]) {
    state[right] = hasPermission(state, permission)
  }
  state.can_create_web_public_streams &&= state.realm_enable_spectator_access
  state.can_create_streams = state.can_create_public_streams || state.can_create_private_streams
}

/** Names of the organization's permissions in the state. */
export type OrganizationPermission = keyof ClientState extends infer K
  ? K extends `realm_${string}_group${'s' | ''}` & keyof ClientState
    ? ClientState[K] extends GroupSettingValue
      ? K
      : never
    : never
  : never

/**
 * Returns whether the user has a permission of the organization, according to this state.
 * @example
 * const mayAddEmoji = hasPermission(live.state, 'realm_can_add_custom_emoji_group')
 */
export function hasPermission(state: ClientState, permission: OrganizationPermission): boolean {
  const { allow_everyone_group } = state.server_supported_permission_settings.realm[permission.slice('realm_'.length)]!
  return (allow_everyone_group || !state.is_guest) && isAllowed(state, state[permission])
}

/**
 * Returns whether the user may change a stream: its name, privacy and permissions.
 * @example
 * const mayRename = administersStream(live.state, live.state.subscriptions[0])
 */
export function administersStream(
  state: ClientState,
  stream: { readonly can_administer_channel_group: GroupSettingValue },
): boolean {
  return state.is_admin || (!state.is_guest && isAllowed(state, stream.can_administer_channel_group))
}

/**
 * Returns whether a group, or a set of users and groups, includes the user.
 * @example
 * const mayManage = isAllowed(live.state, group.can_manage_group)
 */
export function isAllowed(state: ClientState, value: GroupSettingValue): boolean {
  if (typeof value === 'number') return isInside(state, value)
  return value.direct_members.includes(state.user_id) || value.direct_subgroups.some((id) => isInside(state, id))
}

const isInside = (state: ClientState, group_id: number): boolean => {
  const group = state.realm_user_groups.find((one) => one.id === group_id)
  if (!group) return false
  return group.members.includes(state.user_id) || group.direct_subgroup_ids.some((id) => isInside(state, id))
}
