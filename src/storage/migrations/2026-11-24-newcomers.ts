import type { Migration } from '../migration.ts'
import { createTables, id, maybe, ref, type TableList, text, time } from '../tables/table-list.ts'

/** What new accounts begin with, devices, and whether the organization is open. */
export const newcomers: Migration = {
  name: '2026-11-24-newcomers',
  async up(db, dialect) {
    await db.schema.alterTable('organization').addColumn('deactivated_at', 'bigint').execute()
    await createTables(db, dialect, tables)
  },
}

const tables: TableList = {
  user_setting_default: { columns: { name: text, value: text }, primaryKey: ['name'] },
  default_stream_group: { columns: { id, name: text, description: text, stream_ids: text } },
  onboarding_step: {
    columns: { user_id: ref('user'), step: text, seen_at: time },
    primaryKey: ['user_id', 'step'],
  },
  push_token: {
    columns: { id, user_id: ref('user'), kind: text, token: text, app_id: maybe(text), created_at: time },
    indexes: { push_token_once: { on: ['user_id', 'kind', 'token'], unique: true } },
  },
}
