import type { Migration } from '../migration.ts'

/**
 * The full-text index keeps lists of two letters, too; the messages there are indexed again, in the background. The
 * index of topics' names says where each topic is.
 */
export const shortWords: Migration = {
  name: '2026-11-24-short-words',
  async up(db, dialect) {
    await dialect.search.create(db)
    await dialect.search.clear(db)
    await db.updateTable('search_progress').set({ indexed_up_to: 0 }).execute()

    await db.schema.dropIndex('topic_key').execute()
    await db.schema.createIndex('topic_key').on('topic').columns(['name_key', 'stream_id']).execute()
  },
}
