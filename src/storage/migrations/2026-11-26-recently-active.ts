import type { Migration } from '../migration.ts'

/** Whether people wrote to a stream of late is kept with it: only a few messages change it. The daily round corrects it. */
export const recentlyActive: Migration = {
  name: '2026-11-26-recently-active',
  async up(db) {
    await db.schema
      .alterTable('stream')
      .addColumn('is_recently_active', 'bigint', (c) => c.notNull().defaultTo(1))
      .execute()
  },
}
