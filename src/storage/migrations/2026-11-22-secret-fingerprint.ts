import type { Migration } from '../migration.ts'
import { createTables, text } from '../tables/table-list.ts'

/**
 * The fingerprint of the secret that the digests in the database were made with; no row until the first start of this
 * version.
 */
export const secretFingerprint: Migration = {
  name: '2026-11-22-secret-fingerprint',
  up: (db, dialect) => createTables(db, dialect, { secret_fingerprint: { columns: { fingerprint: text } } }),
}
