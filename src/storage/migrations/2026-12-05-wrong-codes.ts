import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Wrong codes of a second factor, counted apart for each device that has signed in. */
export const wrongCodes: Migration = {
  name: '2026-12-05-wrong-codes',
  async up(db, dialect) {
    const int = sql.raw(dialect.columnTypes.int)
    for (const column of ['wrong_codes', 'wrong_at'])
      await db.schema
        .alterTable('known_device')
        .addColumn(column, int, (c) => c.notNull().defaultTo(0))
        .execute()
  },
}
