import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** An installation of a mobile app. */
export interface DeviceTable {
  id: Generated<number>
  user_id: number
  created_at: number
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
