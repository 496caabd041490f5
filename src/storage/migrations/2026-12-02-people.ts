import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** The key as it was at this version. */
const addressKey = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Password links know who created them, and addresses are compared without folding letters outside ASCII. */
export const people: Migration = {
  name: '2026-12-02-people',
  async up(db, dialect) {
    await db.schema
      .alterTable('password_link')
      .addColumn('created_by', sql.raw(dialect.columnTypes.int), (c) => c.references('user.id'))
      .execute()
    await db.schema.createIndex('password_link_creator').on('password_link').column('created_by').execute()
    // The new key tells more addresses apart than the old one, so no two accounts get the same one.
    const users = await db.selectFrom('user').select(['id', 'delivery_email', 'email_key']).execute()
    for (const { id, delivery_email, email_key } of users) {
      const key = addressKey(delivery_email)
      if (key !== email_key) await db.updateTable('user').set({ email_key: key }).where('id', '=', id).execute()
    }
  },
}
