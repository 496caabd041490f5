import type { Migration } from '../migration.ts'
import { createTables, id, int, maybe, partOf, ref, text, time } from '../tables/table-list.ts'

/** Messages that wait for a moderator, and people whose first messages no longer do. */
export const heldMessages: Migration = {
  name: '2026-12-07-held-messages',
  up: (db, dialect) =>
    createTables(db, dialect, {
      held_message: {
        columns: {
          id,
          user_id: partOf('user'),
          conversation_id: partOf('conversation'),
          topic: maybe(text),
          content: text,
          widget: maybe(text),
          client: text,
          read_by_sender: int,
          reason: text,
          matched: text,
          queue_id: maybe(text),
          local_id: maybe(text),
          digest: maybe(text),
          created_at: time,
          state: text,
          decided_by: maybe(ref('user')),
          decided_at: maybe(time),
          // Not a reference: the message may be deleted while a moderator's request is repeated.
          message_id: maybe(int),
        },
        indexes: {
          held_message_state: { on: ['state', 'id'] },
          held_message_user: { on: ['user_id', 'state'] },
          held_message_place: { on: ['conversation_id'] },
          held_message_decided_by: { on: ['decided_by'] },
        },
      },
      held_message_file: {
        columns: { held_message_id: partOf('held_message'), file_id: partOf('file') },
        primaryKey: ['held_message_id', 'file_id'],
        indexes: { held_message_file_file: { on: ['file_id'] } },
      },
      trusted_author: {
        columns: { user_id: partOf('user'), trusted_at: time },
        primaryKey: ['user_id'],
      },
    }),
}
