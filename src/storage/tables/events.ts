import type { Generated } from 'kysely'

/** The log. `id` is the position, and the id that clients see. */
export interface EventTable {
  id: Generated<number>
  type: string
  /** JSON of the event as its widest reader gets it. */
  payload: string
  /** JSON of core/events/audience.ts; never a row per reader. */
  audience: string
  created_at: number
}

/** A reader's cursor and filters. */
export interface QueueTable {
  id: string
  user_id: number
  client: string
  /** The API key it was registered with; it ends with that key. null for callers inside the process. */
  key_id: number | null
  /** JSON of the options given to register. */
  options: string
  start_event_id: number
  acked_event_id: number
  lifespan_seconds: number
  last_used_at: number
}
