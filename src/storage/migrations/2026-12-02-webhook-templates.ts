import type { Migration } from '../migration.ts'
import { createTables, id, text } from '../tables/table-list.ts'

/** Integrations that administrators make, whose messages are templates. */
export const webhookTemplates: Migration = {
  name: '2026-12-02-webhook-templates',
  up: (db, dialect) =>
    createTables(db, dialect, {
      webhook_template: {
        columns: { id, name: text, event: text, topic: text, content: text },
        indexes: { webhook_template_name: { on: ['name'], unique: true } },
      },
    }),
}
