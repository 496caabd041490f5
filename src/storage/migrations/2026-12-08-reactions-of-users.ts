import type { Migration } from '../migration.ts'

/** Merging and exporting a person find their reactions, instead of reading all of them in each write. */
export const reactionsOfUsers: Migration = {
  name: '2026-12-08-reactions-of-users',
  async up(db) {
    await db.schema.createIndex('reaction_user').on('reaction').column('user_id').execute()
  },
}
