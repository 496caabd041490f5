import type { Migration } from '../migration.ts'
import { createTables, int, partOf, time } from '../tables/table-list.ts'

/** Which version of the organization's terms each account has accepted. */
export const terms: Migration = {
  name: '2026-12-07-terms',
  up: (db, dialect) =>
    createTables(db, dialect, {
      terms_acceptance: {
        columns: { user_id: partOf('user'), version: int, accepted_at: time },
        primaryKey: ['user_id'],
      },
    }),
}
