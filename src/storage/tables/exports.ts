import type { Generated } from 'kysely'

/** An archive of the organization's data: requested, complete, or deleted. */
export interface DataExportTable {
  id: Generated<number>
  /** The administrator who requested it. */
  user_id: number
  /** 1 excludes private data, 2 includes private data of users who agreed. */
  kind: number
  requested_at: number
  begun_at: number | null
  failed_at: number | null
  finished_at: number | null
  deleted_at: number | null
  /** The secret end of its address; null while it can't be downloaded. */
  path: string | null
  /** Its bytes, also while it is incomplete. */
  blob_id: number | null
  /** Bytes, once it is complete. */
  size: number | null
}

/** A file or folder of an export in progress. */
export interface ExportFileTable {
  id: Generated<number>
  path: string
}
