import type { Migration } from '../migration.ts'

/** The full-text index merges sixteen of its parts at a time instead of four. */
export const wideSearchMerges: Migration = {
  name: '2026-12-08-wide-search-merges',
  up: (db, dialect) => dialect.search.mergeOnlyInSlices(db),
}
