import type { Migration } from '../migration.ts'
import { createTables, id, ref, type TableList, text, time } from '../tables/table-list.ts'

/** Links with which somebody sets a new password once. */
export const passwordLinks: Migration = {
  name: '2026-11-23-password-links',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  password_link: {
    columns: { id, user_id: ref('user'), digest: text, created_at: time, expires_at: time },
    indexes: {
      password_link_digest: { on: ['digest'], unique: true },
      password_link_user: { on: ['user_id'] },
    },
  },
}
