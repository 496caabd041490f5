import type { Migration } from '../migration.ts'

/** The full-text index no longer merges its parts inside the commits that change it. */
export const searchMerging: Migration = {
  name: '2026-12-01-search-merging',
  up: (db, dialect) => dialect.search.mergeOnlyInSlices(db),
}
