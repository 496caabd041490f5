import type { Migration } from '../migration.ts'
import { createTables, id, int, maybe, ref, type TableList, text, time } from '../tables/table-list.ts'

/** Archives of the organization's data that administrators ask for. */
export const exports: Migration = {
  name: '2026-11-25-exports',
  async up(db, dialect) {
    await createTables(db, dialect, tables)
  },
}

const tables: TableList = {
  data_export: {
    columns: {
      id,
      user_id: ref('user'),
      kind: int,
      requested_at: time,
      begun_at: maybe(time),
      failed_at: maybe(time),
      finished_at: maybe(time),
      deleted_at: maybe(time),
      path: maybe(text),
      blob_id: maybe(ref('blob')),
      size: maybe(int),
    },
    indexes: {
      data_export_path: { on: ['path'], unique: true },
      data_export_blob: { on: ['blob_id'] },
    },
  },
}
