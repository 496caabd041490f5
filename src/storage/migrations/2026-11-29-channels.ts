import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { createTables, flag, id, int, maybe, type TableList, text, time } from '../tables/table-list.ts'

/** Folders of streams, and how many people each stream has. */
export const channels: Migration = {
  name: '2026-11-29-channels',
  async up(db, dialect) {
    await createTables(db, dialect, tables)
    const { int } = dialect.columnTypes
    await db.schema
      .alterTable('stream')
      .addColumn('folder_id', sql.raw(int), (c) => c.references('channel_folder.id'))
      .execute()
    await db.schema
      .alterTable('stream')
      .addColumn('subscriber_count', sql.raw(int), (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('stream_folder')
      .on('stream')
      .column('folder_id')
      .where('folder_id', 'is not', null)
      .execute()
    const subscribers = sql<number>`(select count(*) from subscription
      join "user" on "user".id = subscription.user_id
      where subscription.stream_id = stream.id and subscription.is_active = 1 and "user".is_active = 1)`
    await db.updateTable('stream').set({ subscriber_count: subscribers }).execute()
  },
}

const tables: TableList = {
  channel_folder: {
    columns: {
      id,
      name: text,
      name_key: text,
      description: text,
      rendered_description: text,
      position: int,
      date_created: time,
      creator_id: maybe(int),
      is_archived: flag,
    },
    indexes: { channel_folder_name: { on: ['name_key'], unique: true, where: ['is_archived', 0] } },
  },
}
