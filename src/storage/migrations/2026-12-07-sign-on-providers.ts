import type { Migration } from '../migration.ts'
import { createTables, id, maybe, text } from '../tables/table-list.ts'

/** Identity providers that owners set up in the page. */
export const signOnProviders: Migration = {
  name: '2026-12-07-sign-on-providers',
  up: (db, dialect) =>
    createTables(db, dialect, {
      sign_on_provider: {
        columns: { id, name: text, config: text, client_secret: maybe(text) },
        indexes: { sign_on_provider_name: { on: ['name'], unique: true } },
      },
    }),
}
