import type { Generated } from 'kysely'

/** At most one row: entries up to this one were passed on to a file or to syslog. */
export interface AuditProgressTable {
  audit_id: number
}

/** What somebody did that matters to others, written in the commit of the change. */
export interface AuditTable {
  id: Generated<number>
  at: number
  /** null for the command line, the server itself, and visitors. Not a reference, because the row outlives both. */
  actor_id: number | null
  /** The owner of an acting bot. */
  on_behalf_of: number | null
  /** The API key or session. It may be revoked by now. */
  key_id: number | null
  /** An IP address, cut after 30 days, or `command line`. */
  address: string | null
  /** Name of the client program. */
  client: string
  action: string
  subject_kind: string
  subject_id: number | null
  /** JSON objects with what differs; null where there was nothing, or is nothing. */
  before: string | null
  after: string | null
  outcome: 'ok' | 'failed' | 'denied'
  /** How often it happened within the minute, for failed sign-ins. */
  count: number
}
