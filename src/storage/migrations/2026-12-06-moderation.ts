import type { Migration } from '../migration.ts'
import { createTables, id, int, maybe, partOf, ref, text, time } from '../tables/table-list.ts'

/** Accounts that may not write for a while, and reported messages. */
export const moderation: Migration = {
  name: '2026-12-06-moderation',
  up: (db, dialect) =>
    createTables(db, dialect, {
      restriction: {
        columns: { user_id: partOf('user'), until: time, reason: text },
        primaryKey: ['user_id'],
      },
      report: {
        columns: {
          id,
          // Not a reference: the report outlives its message.
          message_id: int,
          author_id: ref('user'),
          sent_at: time,
          place: text,
          content: text,
          state: text,
          taken_by: maybe(ref('user')),
          decision: text,
          reported_at: time,
          closed_at: maybe(time),
        },
        indexes: {
          report_message: { on: ['message_id'], unique: true },
          report_state: { on: ['state', 'id'] },
          report_author: { on: ['author_id'] },
        },
      },
      report_reason: {
        columns: { report_id: partOf('report'), user_id: ref('user'), type: text, description: text, at: time },
        primaryKey: ['report_id', 'user_id'],
        indexes: { report_reason_user: { on: ['user_id'] } },
      },
    }),
}
