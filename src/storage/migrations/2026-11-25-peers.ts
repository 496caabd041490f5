import type { Migration } from '../migration.ts'
import { bytes, createTables, id, type TableList, text, time } from '../tables/table-list.ts'

/** What processes that share the database have to know of each other. */
export const peers: Migration = {
  name: '2026-11-25-peers',
  async up(db, dialect) {
    await db.schema
      .alterTable('event_log_state')
      .addColumn('transient_up_to', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await createTables(db, dialect, tables)
  },
}

const tables: TableList = {
  peer_change: {
    columns: { id, origin: text, change: text, created_at: time },
  },
  shared_secret: {
    columns: { value: bytes },
  },
}
