import type { Migration } from '../migration.ts'

/** Keys of bots can be read again by their owners, as clients of the Zulip API expect. */
export const sealedBotKeys: Migration = {
  name: '2026-12-08-sealed-bot-keys',
  async up(db) {
    await db.schema.alterTable('api_key').addColumn('sealed', 'text').execute()
  },
}
