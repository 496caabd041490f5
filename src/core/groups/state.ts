import * as v from 'valibot'
import { statePart } from '../events/log/state-part.ts'
import { groupShape } from '../shapes/group.ts'
import { groupList } from './texts.ts'

/** The group part of register's state. */
export const groupState = statePart({ realm_user_groups: v.array(groupShape) }, async (reader, { capabilities }) => ({
  realm_user_groups: await groupList(reader, capabilities.include_deactivated_groups === true),
}))
