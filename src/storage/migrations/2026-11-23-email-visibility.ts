import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** The address of an account apart from the one that others are shown, and who is shown the real one. */
export const emailVisibility: Migration = {
  name: '2026-11-23-email-visibility',
  async up(db, dialect) {
    const { schema } = db
    await schema
      .alterTable('user')
      .addColumn('delivery_email', sql.raw(dialect.columnTypes.text), (c) => c.notNull().defaultTo(''))
      .execute()
    await schema
      .alterTable('user')
      .addColumn('email_shown_to', 'integer', (c) => c.notNull().defaultTo(600))
      .execute()
    await sql`update ${sql.table('user')} set delivery_email = email`.execute(db)
  },
}
