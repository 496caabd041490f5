import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { createTables, id, int, partOf, type TableList, time } from '../tables/table-list.ts'

/** Registrations of mobile devices with a push service, and the notifications that wait for it. */
export const pushDevices: Migration = {
  name: '2026-12-02-push-devices',
  async up(db, dialect) {
    const types = dialect.columnTypes
    for (const [column, type] of columns) {
      await db.schema.alterTable('device').addColumn(column, sql.raw(types[type])).execute()
    }
    await createTables(db, dialect, tables)
  },
}

const columns = [
  ['push_key_id', 'int'],
  ['push_key', 'text'],
  ['push_token_kind', 'text'],
  ['push_token_id', 'text'],
  ['push_token_updated_at', 'int'],
  ['pending_token_kind', 'text'],
  ['pending_token_id', 'text'],
  ['pending_registration', 'text'],
  ['pending_public_key', 'text'],
  ['pending_attempts', 'int'],
  ['pending_next_at', 'int'],
  ['push_error', 'text'],
  ['push_from_message_id', 'int'],
] as const

const tables: TableList = {
  push_delivery: {
    columns: {
      id,
      device_id: partOf('device'),
      // Not a reference: the message may be deleted before it is sent.
      message_id: int,
      attempts: int,
      next_at: time,
    },
    indexes: {
      push_delivery_once: { on: ['device_id', 'message_id'], unique: true },
      push_delivery_due: { on: ['next_at'] },
    },
  },
  push_progress: { columns: { message_id: int } },
}
