import type { Migration } from '../migration.ts'
import { createTables, id, int, maybe, text, time } from '../tables/table-list.ts'

/** Who did what, for the owners of the organization. */
export const audit: Migration = {
  name: '2026-12-03-audit',
  up: (db, dialect) =>
    createTables(db, dialect, {
      audit: {
        columns: {
          id,
          at: time,
          actor_id: maybe(int),
          on_behalf_of: maybe(int),
          key_id: maybe(int),
          address: maybe(text),
          client: text,
          action: text,
          subject_kind: text,
          subject_id: maybe(int),
          before: maybe(text),
          after: maybe(text),
          outcome: text,
          count: int,
        },
        indexes: {
          audit_at: { on: ['at'] },
          audit_actor: { on: ['actor_id', 'id'] },
          audit_action: { on: ['action', 'id'] },
          audit_subject: { on: ['subject_kind', 'subject_id', 'id'] },
        },
      },
      audit_progress: { columns: { audit_id: int } },
    }),
}
