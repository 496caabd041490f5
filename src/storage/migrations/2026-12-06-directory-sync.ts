import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** When the sync deactivated the account, so that it reactivates only accounts that it had deactivated. */
export const directorySync: Migration = {
  name: '2026-12-06-directory-sync',
  async up(db, { columnTypes: { int } }) {
    await db.schema.alterTable('identity').addColumn('gone_at', sql.raw(int)).execute()
  },
}
