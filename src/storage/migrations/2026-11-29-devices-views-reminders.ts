import type { Migration } from '../migration.ts'
import { createTables, flag, id, int, maybe, ref, type TableList, text, time } from '../tables/table-list.ts'

/** Mobile devices, rows of the left sidebar, and reminders about messages. */
export const devicesViewsReminders: Migration = {
  name: '2026-11-29-devices-views-reminders',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  device: {
    columns: { id, user_id: ref('user'), created_at: time },
    indexes: { device_user: { on: ['user_id'] } },
  },
  navigation_view: {
    columns: { id, user_id: ref('user'), fragment: text, name: maybe(text), is_pinned: flag },
    indexes: { navigation_view_once: { on: ['user_id', 'fragment'], unique: true } },
  },
  reminder: {
    columns: {
      id,
      user_id: ref('user'),
      // Not a reference: the message may be deleted before the reminder is due.
      message_id: int,
      note: text,
      content: text,
      rendered_content: text,
      deliver_at: time,
      failed: flag,
    },
    indexes: { reminder_due: { on: ['failed', 'deliver_at'] }, reminder_user: { on: ['user_id'] } },
  },
}
