import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Keys that end at a time, and that only permit some requests. */
export const limitedKeys: Migration = {
  name: '2026-12-06-limited-keys',
  async up(db, { columnTypes: { int, text } }) {
    await db.schema.alterTable('api_key').addColumn('expires_at', sql.raw(int)).execute()
    await db.schema.alterTable('api_key').addColumn('scopes', sql.raw(text)).execute()
    await db.schema.alterTable('api_key').addColumn('channels', sql.raw(text)).execute()
  },
}
