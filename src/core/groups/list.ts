import * as v from 'valibot'
import { action } from '../action.ts'
import { bool } from '../fields.ts'
import { allGroups } from './state.ts'

/** GET /user_groups */
export const listGroups = action(
  {
    summary: 'Get all user groups',
    params: v.object({ include_deactivated_groups: v.nullish(bool, false) }),
    role: 'member',
  },
  async (caller, { include_deactivated_groups }) => ({
    user_groups: await allGroups(caller, { includeDeactivated: include_deactivated_groups ?? false }),
  }),
)
