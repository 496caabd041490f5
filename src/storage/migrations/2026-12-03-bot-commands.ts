import type { Migration } from '../migration.ts'
import { createTables, id, partOf, text } from '../tables/table-list.ts'

/** Slash commands that bots register. */
export const botCommands: Migration = {
  name: '2026-12-03-bot-commands',
  up: (db, dialect) =>
    createTables(db, dialect, {
      bot_command: {
        columns: { id, bot_id: partOf('user'), name: text, description: text, usage: text },
        indexes: {
          bot_command_name: { on: ['name'], unique: true },
          bot_command_bot: { on: ['bot_id'] },
        },
      },
    }),
}
