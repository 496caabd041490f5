import type { Migration } from '../migration.ts'
import { createTables, id, int, maybe, partOf, ref, text, time } from '../tables/table-list.ts'

/** What other services sent to incoming webhooks, and when owners of bots were notified of problems. */
export const webhookDeliveries: Migration = {
  name: '2026-11-30-webhook-deliveries',
  up: (db, dialect) =>
    createTables(db, dialect, {
      incoming_delivery: {
        columns: {
          id,
          bot_id: ref('user'),
          integration: text,
          event: text,
          outcome: text,
          detail: text,
          // Not a reference: the message may be deleted.
          message_id: maybe(int),
          payload: maybe(text),
          created_at: time,
        },
        indexes: {
          incoming_delivery_bot: { on: ['bot_id', 'id'] },
          incoming_delivery_payload: { on: ['created_at'], where: ['payload', 'not null'] },
        },
      },
      bot_notice: {
        columns: { bot_id: partOf('user'), problem: text, sent_at: time },
        primaryKey: ['bot_id', 'problem'],
      },
    }),
}
