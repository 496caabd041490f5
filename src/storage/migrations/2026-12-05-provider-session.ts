import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Sessions and keys know the session at the identity provider that they began with, so that it ends them. */
export const providerSession: Migration = {
  name: '2026-12-05-provider-session',
  async up(db, dialect) {
    await db.schema.alterTable('api_key').addColumn('provider_session', sql.raw(dialect.columnTypes.text)).execute()
    await db.schema.createIndex('api_key_provider_session').on('api_key').column('provider_session').execute()
  },
}
