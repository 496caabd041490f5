import type { Migration } from '../migration.ts'
import { createTables, flag, id, int, maybe, ref, type TableList, text, time } from '../tables/table-list.ts'

/** What outgoing webhooks are to get. */
export const outgoing: Migration = {
  name: '2026-11-24-outgoing',
  async up(db, dialect) {
    await db.schema.alterTable('bot').addColumn('from_message_id', 'bigint').execute()
    await createTables(db, dialect, tables)
  },
}

const tables: TableList = {
  outgoing_delivery: {
    columns: {
      id,
      bot_id: ref('user'),
      // Not a reference: the message may be deleted before it is sent.
      message_id: int,
      trigger: text,
      attempts: int,
      next_at: time,
      failed: flag,
      failure: maybe(text),
      created_at: time,
    },
    indexes: {
      outgoing_delivery_once: { on: ['bot_id', 'message_id'], unique: true },
      outgoing_delivery_due: { on: ['bot_id', 'next_at'], where: ['failed', 0] },
    },
  },
  outgoing_progress: { columns: { message_id: int } },
}
