import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

export interface UserGroupTable {
  id: Generated<number>
  name: string
  name_key: string
  description: string
  is_system_group: Flag
  creator_id: number | null
  date_created: number | null
  is_deactivated: Flag
  /** JSON: permission setting name to group id or { direct_members, direct_subgroups }; defaults are absent. */
  settings: string
}

export interface UserGroupMemberTable {
  group_id: number
  user_id: number
}

export interface UserGroupSubgroupTable {
  group_id: number
  subgroup_id: number
}
