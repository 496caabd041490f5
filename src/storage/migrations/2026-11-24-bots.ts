import type { Migration } from '../migration.ts'
import { createTables, flag, int, maybe, ref, type TableList, text } from '../tables/table-list.ts'

/** What a bot is besides an account. */
export const bots: Migration = {
  name: '2026-11-24-bots',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  bot: {
    columns: {
      user_id: ref('user'),
      default_sending_stream: maybe(text),
      default_events_register_stream: maybe(text),
      default_all_public_streams: flag,
      config_data: text,
      payload_url: maybe(text),
      interface: maybe(int),
      token: maybe(text),
    },
    primaryKey: ['user_id'],
  },
}
