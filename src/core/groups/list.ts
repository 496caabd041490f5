import * as v from 'valibot'
import { action } from '../action.ts'
import { bool, described } from '../fields.ts'
import { groupShape } from '../shapes/group.ts'
import { allGroups } from './state.ts'

/**
 * GET /user_groups
 *
 * @throws BAD_REQUEST for guests
 */
export const listGroups = action(
  {
    name: 'listGroups',
    summary: 'Get all user groups',
    params: v.object({ include_deactivated_groups: described(v.nullish(bool, false), 'Deactivated groups too.') }),
    result: v.strictObject({ user_groups: v.array(groupShape) }),
    role: 'member',
  },
  async (caller, { include_deactivated_groups }) => ({
    user_groups: await allGroups(caller, { includeDeactivated: include_deactivated_groups }),
  }),
)
