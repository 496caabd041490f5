import type { Migration } from '../migration.ts'
import { createTables, flag, id, int, maybe, partOf, ref, type TableList, text, time } from '../tables/table-list.ts'

/** Files that people upload, what refers to them, and pictures made of them. */
export const files: Migration = {
  name: '2026-11-24-files',
  async up(db, dialect) {
    await createTables(db, dialect, tables)
    await db.schema.alterTable('user').addColumn('avatar_medium_blob_id', 'bigint').execute()
    await db.insertInto('file_space').values({ bytes: 0 }).execute()
  },
}

const tables: TableList = {
  file: {
    columns: {
      id,
      path: text,
      owner_id: ref('user'),
      blob_id: ref('blob'),
      name: text,
      content_type: text,
      size: int,
      created_at: time,
      unused_since: maybe(time),
      width: maybe(int),
      height: maybe(int),
      frames: maybe(int),
      has_thumbnail: flag,
      thumbnail_attempts: maybe(int),
    },
    indexes: {
      file_path: { on: ['path'], unique: true },
      file_owner: { on: ['owner_id'] },
      file_blob: { on: ['blob_id'] },
      file_thumbnail_due: { on: ['id'], where: ['thumbnail_attempts', 'not null'] },
      file_unused: { on: ['unused_since'], where: ['unused_since', 'not null'] },
    },
  },
  upload: {
    columns: {
      id,
      token: maybe(text),
      owner_id: ref('user'),
      blob_id: ref('blob'),
      name: text,
      content_type: text,
      size: maybe(int),
      received: int,
      expires_at: time,
    },
    indexes: {
      upload_token: { on: ['token'], unique: true },
      upload_owner: { on: ['owner_id'] },
      upload_blob: { on: ['blob_id'] },
    },
  },
  message_file: {
    columns: { message_id: partOf('message'), file_id: partOf('file') },
    primaryKey: ['message_id', 'file_id'],
    indexes: { message_file_file: { on: ['file_id'] } },
  },
  scheduled_message_file: {
    columns: { scheduled_message_id: partOf('scheduled_message'), file_id: partOf('file') },
    primaryKey: ['scheduled_message_id', 'file_id'],
    indexes: { scheduled_message_file_file: { on: ['file_id'] } },
  },
  draft_file: {
    columns: { draft_id: partOf('draft'), file_id: partOf('file') },
    primaryKey: ['draft_id', 'file_id'],
    indexes: { draft_file_file: { on: ['file_id'] } },
  },
  file_space: { columns: { bytes: int } },
  dropped_blob: { columns: { blob_id: int, dropped_at: time }, primaryKey: ['blob_id'] },
  thumbnail: {
    columns: { file_id: partOf('file'), format: text, blob_id: ref('blob') },
    primaryKey: ['file_id', 'format'],
    indexes: { thumbnail_blob: { on: ['blob_id'] } },
  },
  organization_picture: {
    columns: { kind: text, blob_id: maybe(int), version: int },
    primaryKey: ['kind'],
  },
}
