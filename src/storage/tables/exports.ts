import type { Generated } from 'kysely'

/** An archive of the organization's data, wanted, made, or gone. */
export interface DataExportTable {
  id: Generated<number>
  /** The administrator who asked for it. */
  user_id: number
  /** 1 without private data, 2 with that of those who agreed. */
  kind: number
  requested_at: number
  begun_at: number | null
  failed_at: number | null
  finished_at: number | null
  deleted_at: number | null
  /** The end of its address, which nobody can guess; null while there is nothing to be had. */
  path: string | null
  /** What there is of it, also before it is whole. */
  blob_id: number | null
  /** Bytes, once it is whole. */
  size: number | null
}
