import type { Migration } from '../migration.ts'
import { createTables, id, text } from '../tables/table-list.ts'

/** Words and links that the organization doesn't want. */
export const contentFilters: Migration = {
  name: '2026-12-07-content-filters',
  up: (db, dialect) =>
    createTables(db, dialect, {
      content_filter: { columns: { id, kind: text, pattern: text, action: text, message: text } },
    }),
}
