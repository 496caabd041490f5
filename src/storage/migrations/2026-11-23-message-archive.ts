import type { Migration } from '../migration.ts'
import { createTables, int, type TableList, text, time } from '../tables/table-list.ts'

/** Messages deleted by their age, for as long as they can be restored. */
export const messageArchive: Migration = {
  name: '2026-11-23-message-archive',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  archived_message: {
    columns: { message_id: int, conversation_id: int, archived_at: time, rows: text },
    primaryKey: ['message_id'],
    indexes: {
      archived_message_age: { on: ['archived_at'] },
      archived_message_place: { on: ['conversation_id', 'message_id'] },
    },
  },
}
