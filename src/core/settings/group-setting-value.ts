import * as v from 'valibot'
import { id, ids } from '../kernel/fields.ts'
import type { GroupSettingValue } from '../shapes/group.ts'

/** System groups, from the most powerful. Each contains the ones before it; role:nobody is empty. */
export const systemGroupNames = [
  'role:nobody',
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:everyone',
  'role:internet',
] as const
export type SystemGroupName = (typeof systemGroupNames)[number]

/** A `GroupSettingValue` as clients send it. */
export const groupSettingValue = v.union([id, v.object({ direct_members: ids, direct_subgroups: ids })])

/** A new value, and the one it replaces, if the client wants to detect a concurrent change. */
export interface GroupSettingChange {
  new: GroupSettingValue
  old?: GroupSettingValue | null | undefined
}

/** A change, or just the new value. */
export const groupSettingChange: v.GenericSchema<GroupSettingValue | GroupSettingChange, GroupSettingChange> = v.pipe(
  v.union([v.object({ new: groupSettingValue, old: v.nullish(groupSettingValue) }), groupSettingValue]),
  v.transform((given) => (typeof given === 'object' && 'new' in given ? given : { new: given })),
)
