import type { Generated } from 'kysely'

/** The log. `id` is the position and the id that clients see. */
export interface EventTable {
  id: Generated<number>
  type: string
  /** JSON of the event, with everything any reader gets. */
  payload: string
  /** JSON of core/events/log/audience.ts; never a row per reader. */
  audience: string
  created_at: number
}

/** A reader's cursor and filters. */
export interface QueueTable {
  id: string
  user_id: number
  client: string
  /** The API key it was registered with, which it ends with; null for callers inside the process. */
  key_id: number | null
  /** JSON of the options given to register. */
  options: string
  start_event_id: number
  acked_event_id: number
  lifespan_seconds: number
  last_used_at: number
}

/** A user's role before an event changed it, kept while the event is in the log. */
export interface RoleChangeTable {
  event_id: number
  user_id: number
  role_before: number
}

/** One row. */
export interface EventLogStateTable {
  /** Upper limit of the ids given to events that are not stored. */
  reserved_up_to: number
  /** The newest id given to an event that is not stored, where processes share the database. */
  transient_up_to: Generated<number>
  /** Events up to this one have been removed. The oldest are removed first, so the log after this id is complete. */
  pruned_up_to: number
}

/** A change in what processes keep in memory, stored for a few minutes for the other processes. */
export interface PeerChangeTable {
  id: Generated<number>
  /** A random name of the process. */
  origin: string
  /** JSON of core/events/log/peer-changes.ts */
  change: string
  created_at: number
}
