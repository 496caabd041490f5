import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Seconds between two messages of one person in a channel; 0 for no limit. */
export const slowMode: Migration = {
  name: '2026-12-06-slow-mode',
  async up(db, dialect) {
    await db.schema
      .alterTable('stream')
      .addColumn('slow_mode_seconds', sql.raw(dialect.columnTypes.int), (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
