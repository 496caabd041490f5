import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { createTables, id, partOf, text, time } from '../tables/table-list.ts'

/** Proof of an account's address, where keys are used, devices that signed in, and a mail server that fails. */
export const mailSafety: Migration = {
  name: '2026-12-04-mail',
  async up(db, dialect) {
    const { int, text: textType } = dialect.columnTypes
    await db.schema.alterTable('user').addColumn('email_verified_at', sql.raw(int)).execute()
    // Nobody knows whether the owners of earlier accounts can read their mail.
    await db.updateTable('user').set({ email_verified_at: 0 }).execute()
    await db.schema.alterTable('api_key').addColumn('last_address', sql.raw(textType)).execute()
    await createTables(db, dialect, {
      known_device: {
        columns: { id, user_id: partOf('user'), digest: text, last_used_at: time },
        indexes: { known_device_once: { on: ['user_id', 'digest'], unique: true } },
      },
      mail_failure: { columns: { failure: text, since: time } },
    })
  },
}
