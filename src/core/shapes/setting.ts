import * as v from 'valibot'
import { groupSettingValue } from './group.ts'

/** A user's setting. */
export const userSettingValue = v.union([v.boolean(), v.number(), v.string()])
export type UserSettingValue = v.InferOutput<typeof userSettingValue>

/** A setting of the organization, or another property of it. */
export const organizationValue = v.union([v.boolean(), v.number(), v.string(), v.null(), groupSettingValue])
export type OrganizationValue = v.InferOutput<typeof organizationValue>
