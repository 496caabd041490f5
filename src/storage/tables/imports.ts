import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** An import: running while it has neither ended nor been undone. */
export interface ImportTable {
  id: Generated<number>
  source: string
  /** The file or folder, as it was named. */
  file: string
  /** Of the archive and the options: the same import resumes. */
  fingerprint: string
  /** JSON. */
  options: string
  started_at: number
  finished_at: number | null
  undone_at: number | null
  /** The ids that its messages have; null before they are known. */
  first_message_id: number | null
  last_message_id: number | null
  /** How many of its messages are stored, in their order. */
  messages_done: number
  /** JSON, at the end. */
  report: string | null
}

/** Something that an import brought or matched, by the id that its source has for it. */
export interface ImportObjectTable {
  import_id: number
  kind: string
  source_id: string
  object_id: number
  /** Created by the import. */
  is_new: Flag
}

/** An unread message of a user, while the import runs. */
export interface ImportUnreadTable {
  import_id: number
  user_id: number
  conversation_id: number
  message_id: number
}
