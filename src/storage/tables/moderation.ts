import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

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

/** A message that is not sent until a moderator approves it. */
export interface HeldMessageTable {
  id: Generated<number>
  user_id: number
  conversation_id: number
  /** Null for direct messages. */
  topic: string | null
  /** Empty once a moderator has decided. */
  content: string
  /** Its first submessage, unless the text says it. */
  widget: string | null
  client: string
  read_by_sender: Flag
  /** `new_account` or `filter`. */
  reason: string
  /** The patterns of the filters that match. */
  matched: string
  queue_id: string | null
  local_id: string | null
  digest: string | null
  created_at: number
  /** `waiting`, `approved` or `rejected`. */
  state: string
  decided_by: number | null
  decided_at: number | null
  /** The message that was sent. */
  message_id: number | null
}

/** The newest version of the terms that an account has accepted. */
export interface TermsAcceptanceTable {
  user_id: number
  version: number
  accepted_at: number
}

/** A file that a held message refers to. */
export interface HeldMessageFileTable {
  held_message_id: number
  file_id: number
}

/** Somebody whose messages a moderator trusts although the account is new. */
export interface TrustedAuthorTable {
  user_id: number
  trusted_at: number
}
