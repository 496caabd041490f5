import type { Migration } from '../../migration.ts'
import { createTables, id, int, partOf, type TableList, text, time } from '../../tables/table-list.ts'

/** Browsers that are notified, and of what. */
export const webPush: Migration = {
  name: '2026-11-27-web-push',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  web_push_subscription: {
    columns: {
      id,
      user_id: partOf('user'),
      key_id: partOf('api_key'),
      endpoint: text,
      p256dh: text,
      auth: text,
      from_message_id: int,
      created_at: time,
    },
    indexes: {
      web_push_subscription_endpoint: { on: ['endpoint'], unique: true },
      web_push_subscription_user: { on: ['user_id'] },
      web_push_subscription_key: { on: ['key_id'] },
    },
  },
  web_push_delivery: {
    columns: {
      id,
      subscription_id: partOf('web_push_subscription'),
      // Not a reference: the message may be deleted before it is sent.
      message_id: int,
      attempts: int,
      next_at: time,
    },
    indexes: {
      web_push_delivery_once: { on: ['subscription_id', 'message_id'], unique: true },
      web_push_delivery_due: { on: ['next_at'] },
    },
  },
  web_push_progress: { columns: { message_id: int } },
}
