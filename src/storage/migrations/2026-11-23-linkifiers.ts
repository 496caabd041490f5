import type { Migration } from '../migrate.ts'

/** Linkifiers and playgrounds of the organization. */
export const linkifiers: Migration = {
  name: '2026-11-23-linkifiers',
  async up({ schema }, { id }) {
    await schema
      .createTable('linkifier')
      .addColumn('id', 'integer', id)
      .addColumn('pattern', 'text', (c) => c.notNull())
      .addColumn('url_template', 'text', (c) => c.notNull())
      .addColumn('position', 'bigint', (c) => c.notNull())
      .execute()
    await schema.createIndex('linkifier_pattern').unique().on('linkifier').column('pattern').execute()
    await schema
      .createTable('playground')
      .addColumn('id', 'integer', id)
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('pygments_language', 'text', (c) => c.notNull())
      .addColumn('url_template', 'text', (c) => c.notNull())
      .execute()
    await schema
      .createIndex('playground_name')
      .unique()
      .on('playground')
      .columns(['pygments_language', 'name'])
      .execute()
  },
}
