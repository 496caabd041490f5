import type { ClientState } from '../../../../src/client/index.ts'
import { row as rowOf } from '../setting.ts'

/** What of a group can be changed, as `updateGroup` takes it. */
export type GroupSettingName = keyof ClientState['realm_user_groups'][number]

const row = rowOf<GroupSettingName>

/** The settings of a group. A new one is one line here. */
export const groupTable = [
  row(['name', 'line', 'Name', 'What people write after @ to mention the group.']),
  row(['description', 'line', 'What it is for', 'Shown beside its name.']),
  row(['can_mention_group', 'permission', 'Mention it', 'Who may notify all of its members.']),
  row(['can_join_group', 'permission', 'Join it', 'Who may add themselves.']),
  row(['can_leave_group', 'permission', 'Leave it', 'Which members may remove themselves.']),
  row(['can_add_members_group', 'permission', 'Add members', 'Who may add others.']),
  row(['can_remove_members_group', 'permission', 'Remove members', 'Who may remove others.']),
  row(['can_manage_group', 'permission', 'Manage it', 'Who may change all of this, its members too.']),
] as const
