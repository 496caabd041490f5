import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** When a person last confirmed with a passkey in a session that it was them. */
export const confirmedSessions: Migration = {
  name: '2026-12-07-confirmed-sessions',
  async up(db, { columnTypes: { int } }) {
    await db.schema.alterTable('api_key').addColumn('confirmed_at', sql.raw(int)).execute()
  },
}
