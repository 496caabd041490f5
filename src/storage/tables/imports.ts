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

/** The import that an owner prepares or undoes in the page. There is at most one. */
export interface ImportJobTable {
  id: Generated<number>
  /** Who began it. */
  user_id: number
  phase: 'uploading' | 'checking' | 'ready' | 'importing' | 'undoing' | 'failed'
  /** Name of the uploaded file, or of a file or folder in the server's folder for imports. */
  file: string
  on_server: Flag
  /** The upload until it is complete. */
  upload_id: number | null
  /** The uploaded file. */
  blob_id: number | null
  /** Bytes; 0 for a file of the server. */
  size: number
  /** JSON. */
  topics: string
  download_files: Flag
  /** The report matches the options and the choices for people. */
  checked: Flag
  /** JSON, of the newest dry run. */
  report: string | null
  /** Why it failed. */
  problem: string | null
  /** The import that is undone. */
  import_id: number | null
  /** How far the current phase is. */
  step: string | null
  done: number
  total: number | null
  started_at: number
}

/** A person in the archive of a job. */
export interface ImportJobPersonTable {
  job_id: number
  /** Position in the list. */
  nth: number
  source_id: string
  name: string
  email: string | null
  is_bot: Flag
  /** What the newest dry run decided. */
  how: 'existing' | 'new' | 'stub' | 'skipped'
  /** What an owner chose: an email address, `stub` or `skip`. */
  account: string | null
}
