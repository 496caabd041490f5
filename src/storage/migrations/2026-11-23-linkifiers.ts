import type { Migration } from '../migration.ts'
import { createTables, id, int, type TableList, text } from '../tables/table-list.ts'

/** Linkifiers and playgrounds of the organization. */
export const linkifiers: Migration = {
  name: '2026-11-23-linkifiers',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  linkifier: {
    columns: { id, pattern: text, url_template: text, position: int },
    indexes: { linkifier_pattern: { on: ['pattern'], unique: true } },
  },
  playground: {
    columns: { id, name: text, pygments_language: text, url_template: text },
    indexes: { playground_name: { on: ['pygments_language', 'name'], unique: true } },
  },
}
