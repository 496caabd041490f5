import type { Migration } from '../migrate.ts'

/** What people write before they send it: drafts, snippets, and what the sender of a scheduled message asked for. */
export const drafts: Migration = {
  name: '2026-11-23-drafts',
  async up({ schema }, { id }) {
    await schema.alterTable('scheduled_message').addColumn('read_by_sender', 'integer').execute()
    await schema
      .createTable('saved_snippet')
      .addColumn('id', 'integer', id)
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id'))
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await schema.createIndex('saved_snippet_user').on('saved_snippet').column('user_id').execute()
    await schema
      .createTable('draft')
      .addColumn('id', 'integer', id)
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id'))
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('recipients', 'text', (c) => c.notNull())
      .addColumn('topic', 'text', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('edited_at', 'bigint', (c) => c.notNull())
      .execute()
    await schema.createIndex('draft_user').on('draft').column('user_id').execute()
    await schema.createIndex('scheduled_message_sender').on('scheduled_message').column('sender_id').execute()
  },
}
