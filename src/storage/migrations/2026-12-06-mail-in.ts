import type { Migration } from '../migration.ts'
import { createTables, id, int, maybe, partOf, type TableList, text, time } from '../tables/table-list.ts'

/** Addresses that take email: one for each missed-message email, and one for each channel and person. */
export const mailIn: Migration = {
  name: '2026-12-06-mail-in',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  reply_address: {
    columns: {
      id,
      digest: text,
      user_id: partOf('user'),
      // Not references: the message may be deleted, and its topic may disappear.
      message_id: int,
      conversation_id: int,
      topic_id: maybe(int),
      expires_at: time,
    },
    indexes: {
      reply_address_once: { on: ['digest'], unique: true },
      reply_address_user: { on: ['user_id'] },
      reply_address_end: { on: ['expires_at'] },
    },
  },
  channel_address: {
    columns: {
      id,
      digest: text,
      stream_id: partOf('stream'),
      user_id: partOf('user'),
      sender_id: partOf('user'),
      nonce: text,
      created_at: time,
    },
    indexes: {
      channel_address_once: { on: ['digest'], unique: true },
      channel_address_place: { on: ['stream_id', 'user_id', 'sender_id'], unique: true },
      channel_address_user: { on: ['user_id'] },
      channel_address_sender: { on: ['sender_id'] },
    },
  },
  mail_received: {
    columns: { digest: text, address: text, outcome: text, message_id: maybe(int), received_at: time },
    primaryKey: ['digest'],
    indexes: { mail_received_time: { on: ['received_at'] } },
  },
}
