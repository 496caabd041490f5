import { createGroup } from '../../core/groups/create.ts'
import { deactivateGroup } from '../../core/groups/deactivate.ts'
import { listGroups } from '../../core/groups/list.ts'
import { isMember, listMembers } from '../../core/groups/members.ts'
import { changeMembers } from '../../core/groups/membership/change-members.ts'
import { changeSubgroups, listSubgroups } from '../../core/groups/subgroups.ts'
import { updateGroup } from '../../core/groups/update.ts'
import type { Routes } from '../route-types.ts'

/** User groups. */
export const groupRoutes: Routes = {
  '/user_groups': { GET: listGroups },
  '/user_groups/create': { POST: createGroup },
  '/user_groups/:user_group_id(\\d+)': { PATCH: updateGroup },
  '/user_groups/:user_group_id(\\d+)/deactivate': { POST: deactivateGroup },
  '/user_groups/:user_group_id(\\d+)/members': { GET: listMembers, POST: changeMembers },
  '/user_groups/:user_group_id(\\d+)/members/:user_id(\\d+)': { GET: isMember },
  '/user_groups/:user_group_id(\\d+)/subgroups': { GET: listSubgroups, POST: changeSubgroups },
}
