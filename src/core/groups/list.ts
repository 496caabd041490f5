import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { bool, described } from '../kernel/fields.ts'
import { groupShape } from '../shapes/group.ts'
import { storedGroups } from './stored.ts'
import { groupViews } from './view.ts'

/**
 * GET /user_groups: lists the groups.
 *
 * @throws BAD_REQUEST for guests
 */
export const listGroups = action(
  {
    name: 'listGroups',
    summary: 'Get all user groups',
    params: v.object({ include_deactivated_groups: described(v.nullish(bool, false), 'Include deactivated groups.') }),
    result: v.strictObject({ user_groups: v.array(groupShape) }),
    role: 'member',
  },
  async (caller, { include_deactivated_groups }) => {
    const groups = await storedGroups.get(caller)
    const shown = groups.filter((group) => group.is_deactivated === 0 || include_deactivated_groups)
    return { user_groups: await groupViews(caller, shown) }
  },
)
