import type { Migration } from '../migration.ts'
import { createTables, partOf, ref, time } from '../tables/table-list.ts'

/** Messages that people find at the top of their channel. */
export const pinnedMessages: Migration = {
  name: '2026-12-08-pinned-messages',
  up: (db, dialect) =>
    createTables(db, dialect, {
      pinned_message: {
        columns: {
          message_id: partOf('message'),
          // The channel of the message, for its index.
          stream_id: partOf('stream'),
          user_id: ref('user'),
          pinned_at: time,
        },
        primaryKey: ['message_id'],
        indexes: {
          pinned_message_stream: { on: ['stream_id'] },
          pinned_message_user: { on: ['user_id'] },
        },
      },
    }),
}
