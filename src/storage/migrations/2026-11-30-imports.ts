import type { Migration } from '../migration.ts'
import { createTables, flag, id, int, maybe, partOf, ref, text, time } from '../tables/table-list.ts'

/** Imports: what each brought, under the ids that its source had. */
export const imports: Migration = {
  name: '2026-11-30-imports',
  async up(db, dialect) {
    await createTables(db, dialect, {
      import: {
        columns: {
          id,
          source: text,
          file: text,
          fingerprint: text,
          options: text,
          started_at: time,
          finished_at: maybe(time),
          undone_at: maybe(time),
          first_message_id: maybe(int),
          last_message_id: maybe(int),
          messages_done: int,
          report: maybe(text),
        },
      },
      import_object: {
        columns: { import_id: ref('import'), kind: text, source_id: text, object_id: int, is_new: flag },
        primaryKey: ['import_id', 'kind', 'source_id'],
        indexes: { import_object_source: { on: ['kind', 'source_id'] } },
      },
      import_unread: {
        columns: { import_id: ref('import'), user_id: int, conversation_id: int, message_id: partOf('message') },
        primaryKey: ['user_id', 'conversation_id', 'message_id'],
        indexes: { import_unread_message: { on: ['message_id'] } },
      },
    })
  },
}
