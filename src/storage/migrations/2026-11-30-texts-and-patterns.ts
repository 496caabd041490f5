import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Welcome texts of invitations, linkifiers that work backward, and profile fields that find people. */
export const textsAndPatterns: Migration = {
  name: '2026-11-30-texts-and-patterns',
  async up(db, dialect) {
    const { int, text } = dialect.columnTypes
    await db.schema.alterTable('invitation').addColumn('welcome_message', sql.raw(text)).execute()
    await db.schema.alterTable('linkifier').addColumn('example_input', sql.raw(text)).execute()
    await db.schema.alterTable('linkifier').addColumn('reverse_template', sql.raw(text)).execute()
    await db.schema
      .alterTable('linkifier')
      .addColumn('alternative_url_templates', sql.raw(text), (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema
      .alterTable('profile_field')
      .addColumn('use_for_user_matching', sql.raw(int), (c) => c.notNull().defaultTo(0))
      .execute()
    // Existing values count as chosen by their users.
    await db.schema
      .alterTable('user_setting')
      .addColumn('edited', sql.raw(int), (c) => c.notNull().defaultTo(1))
      .execute()
    for (const table of ['user_setting', 'user_setting_default'] as const) {
      const renamed = { value: '"recent"' }
      await db
        .updateTable(table)
        .set(renamed)
        .where('name', '=', 'web_home_view')
        .where('value', '=', '"recent_topics"')
        .execute()
    }
  },
}
