import type { Generated } from 'kysely'

/** An account that may not write until a time. */
export interface RestrictionTable {
  user_id: number
  until: number
  reason: string
}

/** A message that was reported to the moderators, once for all of its reporters. */
export interface ReportTable {
  id: Generated<number>
  /** Of a message that may have been deleted. */
  message_id: number
  author_id: number
  sent_at: number
  /** JSON: where the message was when it was reported. */
  place: string
  /** The text as it was reported, sealed with the secret outside the database. */
  content: string
  state: string
  /** The moderator who took or closed it. */
  taken_by: number | null
  decision: string
  /** When it was last reported. */
  reported_at: number
  closed_at: number | null
}

/** Why one person reported a message. */
export interface ReportReasonTable {
  report_id: number
  user_id: number
  type: string
  description: string
  at: number
}

/** A word, link or pattern that the organization doesn't want. */
export interface ContentFilterTable {
  id: Generated<number>
  kind: string
  pattern: string
  action: string
  message: string
}
