import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Whether messages need a topic, for each channel. Before, the organization decided it with a setting that was on or off. */
export const topicsPolicy: Migration = {
  name: '2026-11-30-topics-policy',
  async up(db, dialect) {
    const { text } = dialect.columnTypes
    await db.schema
      .alterTable('stream')
      .addColumn('topics_policy', sql.raw(text), (c) => c.notNull().defaultTo('inherit'))
      .execute()
    await db
      .updateTable('organization_setting')
      .set({
        name: 'topics_policy',
        value: sql<string>`case value when 'true' then '"disable_empty_topic"' else '"allow_empty_topic"' end`,
      })
      .where('name', '=', 'mandatory_topics')
      .execute()
  },
}
