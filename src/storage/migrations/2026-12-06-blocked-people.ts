import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Whether two people can't write to each other, because one of them has blocked the other. */
export const blockedPeople: Migration = {
  name: '2026-12-06-blocked-people',
  async up(db, dialect) {
    await db.schema
      .alterTable('muted_user')
      .addColumn('is_blocked', sql.raw(dialect.columnTypes.int), (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
