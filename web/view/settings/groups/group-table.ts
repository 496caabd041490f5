import type { ClientState } from '../../../../src/client/index.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { rowsOf } from '../setting.ts'

/** Settings of a group, for `updateGroup`. */
export type GroupSettingName = keyof ClientState['realm_user_groups'][number]

const row = rowsOf<GroupSettingName>()(pageTexts.groupSettings)

const general = [row('name', 'line'), row('description', 'line')]

const permissions = [
  row('can_mention_group', 'permission'),
  row('can_join_group', 'permission'),
  row('can_leave_group', 'permission'),
  row('can_add_members_group', 'permission'),
  row('can_remove_members_group', 'permission'),
  row('can_manage_group', 'permission'),
]

/** The settings of a group, by tab. A new one needs one line here. */
export const groupTabs = { general, permissions } as const
export const groupTable = Object.values(groupTabs).flat()
