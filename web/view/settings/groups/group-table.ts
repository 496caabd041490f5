import type { ClientState } from '../../../../src/client/index.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { rowsOf } from '../setting.ts'

/** Settings of a group, for `updateGroup`. */
export type GroupSettingName = keyof ClientState['realm_user_groups'][number]

const row = rowsOf<GroupSettingName>()(pageTexts.groupSettings)

/** The settings of a group. A new one needs one line here. */
export const groupTable = [
  row('name', 'line'),
  row('description', 'line'),
  row('can_mention_group', 'permission'),
  row('can_join_group', 'permission'),
  row('can_leave_group', 'permission'),
  row('can_add_members_group', 'permission'),
  row('can_remove_members_group', 'permission'),
  row('can_manage_group', 'permission'),
] as const
