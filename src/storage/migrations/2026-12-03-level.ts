import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Messages that start as read, accounts without a sign-in so far, deleted accounts, and notifications that are shown. */
export const level: Migration = {
  name: '2026-12-03-level',
  async up(db, dialect) {
    const { int } = dialect.columnTypes
    for (const [table, column] of columns) {
      await db.schema
        .alterTable(table)
        .addColumn(column, sql.raw(int), (c) => c.notNull().defaultTo(0))
        .execute()
    }
    await db.schema
      .createIndex('message_starts_read')
      .on('message')
      .column('id')
      .where(sql<boolean>`starts_read = 1`)
      .execute()
  },
}

const columns = [
  ['message', 'starts_read'],
  ['user', 'awaits_sign_in'],
  ['user', 'is_deleted'],
  ['push_delivery', 'state'],
] as const
