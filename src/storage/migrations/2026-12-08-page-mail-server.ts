import type { Migration } from '../migration.ts'
import { createTables, maybe, type TableList, text } from '../tables/table-list.ts'

/** The mail server that owners set up in the page. */
export const pageMailServer: Migration = {
  name: '2026-12-08-page-mail-server',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  mail_server: { columns: { config: text, password: maybe(text) } },
}
