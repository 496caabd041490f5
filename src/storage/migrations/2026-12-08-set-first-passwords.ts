import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** When people set the first password of an account that had none. */
export const firstPasswords: Migration = {
  name: '2026-12-08-set-first-passwords',
  async up(db, { columnTypes: { int } }) {
    await db.schema.alterTable('user').addColumn('first_password_at', sql.raw(int)).execute()
  },
}
