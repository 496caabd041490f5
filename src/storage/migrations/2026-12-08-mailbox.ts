import type { Migration } from '../migration.ts'
import { createTables, type TableList, text, time } from '../tables/table-list.ts'

/** Whether the mailbox that email comes in from can be read. */
export const mailbox: Migration = {
  name: '2026-12-08-mailbox',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  mailbox_failure: { columns: { failure: text, since: time, tried_at: time } },
}
