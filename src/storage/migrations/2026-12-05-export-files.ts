import type { Migration } from '../migration.ts'
import { createTables, id, text } from '../tables/table-list.ts'

/** Files of an export in progress, so that the next export removes what a killed one left. */
export const exportFiles: Migration = {
  name: '2026-12-05-export-files',
  up: (db, dialect) => createTables(db, dialect, { export_file: { columns: { id, path: text } } }),
}
