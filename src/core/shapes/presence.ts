import * as v from 'valibot'
import { unixTime } from './values.ts'

const status = v.picklist(['active', 'idle'])

/** When somebody was last active, and last there at all; 0 for never. */
export const slimPresence = v.strictObject({ active_timestamp: unixTime, idle_timestamp: unixTime })
export type SlimPresence = v.InferOutput<typeof slimPresence>

export const clientPresence = v.strictObject({
  client: v.string(),
  status,
  timestamp: unixTime,
  pushable: v.boolean(),
})

/** The older form: one status, in a member for all programs and one for the only program there is. */
export const legacyPresence = v.strictObject({
  aggregated: v.strictObject({ client: v.string(), status, timestamp: unixTime }),
  website: clientPresence,
})
export type LegacyPresence = v.InferOutput<typeof legacyPresence>

/** By user id in the slim form, by e-mail in the older one. */
export const presences = v.union([v.record(v.string(), slimPresence), v.record(v.string(), legacyPresence)])
export type Presences = v.InferOutput<typeof presences>

/** One user's, as GET /users/{user_id}/presence answers it. */
export const userPresence = v.strictObject({
  aggregated: v.strictObject({ status: v.picklist(['active', 'idle', 'offline']), timestamp: unixTime }),
  website: v.strictObject({ status, timestamp: unixTime }),
})
export type UserPresence = v.InferOutput<typeof userPresence>
