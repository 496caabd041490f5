import * as v from 'valibot'
import { id, ids, unixTime } from './values.ts'

/** The value of a permission: a group's id, or an unnamed set of users and groups. */
export const groupSettingValue = v.union([id, v.strictObject({ direct_members: ids, direct_subgroups: ids })])
export type GroupSettingValue = v.InferOutput<typeof groupSettingValue>

/** A user group. */
export const groupShape = v.strictObject({
  id,
  name: v.string(),
  description: v.string(),
  /** Direct members whose accounts are active. */
  members: ids,
  direct_subgroup_ids: ids,
  creator_id: v.nullable(id),
  date_created: v.nullable(unixTime),
  is_system_group: v.boolean(),
  deactivated: v.boolean(),
  can_add_members_group: groupSettingValue,
  can_join_group: groupSettingValue,
  can_leave_group: groupSettingValue,
  can_manage_group: groupSettingValue,
  can_mention_group: groupSettingValue,
  can_remove_members_group: groupSettingValue,
})
export type GroupView = v.InferOutput<typeof groupShape>
