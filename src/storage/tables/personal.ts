import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** An installation of a mobile app. */
export interface DeviceTable {
  id: Generated<number>
  user_id: number
  created_at: number
  /** The client's number for the key, and the key that notifications are encrypted with. */
  push_key_id: number | null
  push_key: string | null
  push_token_kind: string | null
  /** The token that the push service has registered. */
  push_token_id: string | null
  push_token_updated_at: number | null
  /** The registration that the push service hasn't answered yet. */
  pending_token_kind: string | null
  pending_token_id: string | null
  pending_registration: string | null
  pending_public_key: string | null
  pending_attempts: number | null
  pending_next_at: number | null
  push_error: string | null
  /** Only newer messages are sent. */
  push_from_message_id: number | null
}

/** A notification that waits for the push service. */
export interface PushDeliveryTable {
  id: Generated<number>
  device_id: number
  /** The message may have been deleted. */
  message_id: number
  attempts: number
  /** When it is sent, repeated, or forgotten. */
  next_at: number
  /** 0 to be sent, 1 shown by the device, 2 to be removed from it. */
  state: Generated<0 | 1 | 2>
}

/** One row: messages up to this one were checked. */
export interface PushProgressTable {
  message_id: number
}

/** A row of somebody's left sidebar. */
export interface NavigationViewTable {
  id: Generated<number>
  user_id: number
  /** What follows `#` in the address of the view. */
  fragment: string
  /** null for built-in views. */
  name: string | null
  is_pinned: Flag
}

/** A direct message that the server sends later to remind a user of a message. */
export interface ReminderTable {
  id: Generated<number>
  user_id: number
  /** The message it is about, which may be gone by then. */
  message_id: number
  note: string
  content: string
  rendered_content: string
  deliver_at: number
  failed: Flag
}
