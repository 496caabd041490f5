import type { Migration } from '../migration.ts'
import { createTables, type TableList, text } from '../tables/table-list.ts'

/** A table for the text that is searched; existing messages are indexed again in the background. */
export const searchText: Migration = {
  name: '2026-11-22-search-text',
  async up(db, dialect) {
    await createTables(db, dialect, tables)
    await dialect.search.clear(db)
    await db.updateTable('search_progress').set({ indexed_up_to: 0 }).execute()
  },
}

const tables: TableList = {
  search_text: {
    columns: { message_id: { type: 'id', references: 'message', cascade: true }, text },
    primaryKey: ['message_id'],
  },
}
