import * as v from 'valibot'
import { id, ids } from '../fields.ts'

/** System groups, from the most powerful. Each contains the ones before it; role:nobody contains none. */
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

/** Who has a permission: a group, or an unnamed set of people and groups. */
export type GroupSettingValue = number | { direct_members: number[]; direct_subgroups: number[] }

export const groupSettingValue = v.union([id, v.object({ direct_members: ids, direct_subgroups: ids })])

/** Defaults are stored by name, since ids of groups differ between organizations. */
export const groupSetting = v.union([v.picklist(systemGroupNames), groupSettingValue])
