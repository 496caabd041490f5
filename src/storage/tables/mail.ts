import type { Generated } from 'kysely'

/** An email to send, stored in the commit of its cause. Its text is made when it is sent. */
export interface MailTable {
  id: Generated<number>
  /** What it tells; decides how its text is made. */
  kind: string
  /** Only one row has the same key, so that a cause sends one email. */
  dedup_key: string
  /** Its receiver, if they have an account. */
  user_id: number | null
  /** The address it goes to; null until it is sent, if it is the one of an account. */
  address: string | null
  address_key: string | null
  /** JSON with the ids of its cause. It never contains texts or tokens. Empty after it was sent. */
  data: string
  /** The same in each attempt, so that receivers drop a second copy. */
  message_id: string
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'dropped'
  /** Time of the next attempt, in seconds; while it is sent, when another process may take it over. */
  next_at: number
  /** When it is given up. */
  expires_at: number
  attempts: number
  /** Why the last attempt failed, or why it was dropped. */
  failure: string | null
  created_at: number
  /** When it was sent, was given up or was dropped. */
  ended_at: number | null
}

/** A message that an email will tell of, if it is still unread. The row is deleted when the email ends. */
export interface MailCandidateTable {
  id: Generated<number>
  mail_id: number
  user_id: number
  /** The message may have been deleted. */
  message_id: number
  conversation_id: number
  topic_id: number | null
  /** The personal setting that decides; null if the user wants emails about the entire stream. */
  setting: string | null
}

/** One row: messages up to this one were checked. */
export interface MailProgressTable {
  message_id: number
}

/** A change of an account's address that waits for a confirmation, or that its former address may still undo. */
export interface EmailChangeTable {
  id: Generated<number>
  user_id: number
  old_email: string
  new_email: string
  /** Part of the tokens of its links, together with the chat's secret. */
  nonce: string
  created_at: number
  confirmed_at: number | null
}

/** One row while the mail server fails, so that other processes and commands know. */
export interface MailFailureTable {
  failure: string
  since: number
}

/** One row while the mailbox that email comes in from can't be read. */
export interface MailboxFailureTable {
  failure: string
  since: number
  tried_at: number
}

/** One row if owners have set up a mail server in the page. */
export interface MailServerTable {
  /** JSON of its members, without the password. */
  config: string
  /** Sealed with the secret outside the database. */
  password: string | null
}

/** An address that gets no email, because a mail server rejected it for good. */
export interface MailSuppressedTable {
  address_key: string
  address: string
  reason: string
  since: number
}
