import * as v from 'valibot'
import { groupSettingValue } from './group.ts'

/** A user's setting. */
export const userSettingValue = v.union([v.boolean(), v.number(), v.string()])
export type UserSettingValue = v.InferOutput<typeof userSettingValue>

/** Ways of signing in, by name. */
export const authenticationMethods = v.record(
  v.string(),
  v.strictObject({ enabled: v.boolean(), available: v.boolean() }),
)

/** A setting of the organization, or another property of it. */
export const organizationValue = v.union([
  v.boolean(),
  v.number(),
  v.string(),
  v.null(),
  groupSettingValue,
  authenticationMethods,
])
