import type { Migration } from '../migration.ts'
import { createTables, id, ref, type TableList, text, time } from '../tables/table-list.ts'

/** Drafts, saved snippets, and the read_by_sender option of scheduled messages. */
export const drafts: Migration = {
  name: '2026-11-23-drafts',
  async up(db, dialect) {
    await db.schema.alterTable('scheduled_message').addColumn('read_by_sender', 'integer').execute()
    await db.schema.createIndex('scheduled_message_sender').on('scheduled_message').column('sender_id').execute()
    await createTables(db, dialect, tables)
  },
}

const tables: TableList = {
  saved_snippet: {
    columns: { id, user_id: ref('user'), title: text, content: text, created_at: time },
    indexes: { saved_snippet_user: { on: ['user_id'] } },
  },
  draft: {
    columns: { id, user_id: ref('user'), type: text, recipients: text, topic: text, content: text, edited_at: time },
    indexes: { draft_user: { on: ['user_id'] } },
  },
}
