import type { ChatEvent } from '../../core/events/types/table.ts'
import { sorted, without } from './apply-message.ts'
import type { ClientState } from './client-state.ts'

export function changeGroup(state: ClientState, event: ChatEvent<'user_group'>): void {
  if (event.op === 'add') {
    state.realm_user_groups.push(event.group)
    return
  }
  if (event.op === 'remove') {
    state.realm_user_groups = state.realm_user_groups.filter((one) => one.id !== event.group_id)
    return
  }
  const group = state.realm_user_groups.find((one) => one.id === event.group_id)
  if (!group) return
  if (event.op === 'update') Object.assign(group, event.data)
  if (event.op === 'add_members') group.members = sorted([...group.members, ...event.user_ids])
  if (event.op === 'remove_members') group.members = without(group.members, event.user_ids)
  if (event.op === 'add_subgroups') {
    group.direct_subgroup_ids = sorted([...group.direct_subgroup_ids, ...event.direct_subgroup_ids])
  }
  if (event.op === 'remove_subgroups') {
    group.direct_subgroup_ids = without(group.direct_subgroup_ids, event.direct_subgroup_ids)
  }
}
