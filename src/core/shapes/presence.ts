import * as v from 'valibot'
import { unixTime } from './values.ts'

const status = v.picklist(['active', 'idle'])

/** When a user was last active, and when last active or idle; 0 for never. */
export const slimPresenceShape = v.strictObject({ active_timestamp: unixTime, idle_timestamp: unixTime })
export type SlimPresence = v.InferOutput<typeof slimPresenceShape>

export const clientPresenceShape = v.strictObject({
  client: v.string(),
  status,
  timestamp: unixTime,
  pushable: v.boolean(),
})

/** The older form: one status, once for all clients together and once for the only client name. */
export const legacyPresenceShape = v.strictObject({
  aggregated: v.strictObject({ client: v.string(), status, timestamp: unixTime }),
  website: clientPresenceShape,
})
export type LegacyPresence = v.InferOutput<typeof legacyPresenceShape>

/** By user id in the slim form, by email address in the older one. */
export const presencesShape = v.union([
  v.record(v.string(), slimPresenceShape),
  v.record(v.string(), legacyPresenceShape),
])
export type Presences = v.InferOutput<typeof presencesShape>

/** One user's presence, as GET /users/{user_id}/presence returns it. */
export const userPresenceShape = v.strictObject({
  ...slimPresenceShape.entries,
  aggregated: v.strictObject({ status: v.picklist(['active', 'idle', 'offline']), timestamp: unixTime }),
  website: v.strictObject({ status, timestamp: unixTime }),
})
