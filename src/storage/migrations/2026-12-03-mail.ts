import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { createTables, id, int, maybe, partOf, ref, type TableList, text, time } from '../tables/table-list.ts'

/** The outbox of email, missed messages, changes of addresses that wait for a confirmation, and the address that a password link went to. */
export const mail: Migration = {
  name: '2026-12-03-mail',
  async up(db, dialect) {
    await createTables(db, dialect, tables)
    await db.schema.alterTable('password_link').addColumn('address_key', sql.raw(dialect.columnTypes.text)).execute()
  },
}

const tables: TableList = {
  mail: {
    columns: {
      id,
      kind: text,
      dedup_key: text,
      user_id: maybe(ref('user')),
      address: maybe(text),
      address_key: maybe(text),
      data: text,
      message_id: text,
      state: text,
      next_at: time,
      expires_at: time,
      attempts: int,
      failure: maybe(text),
      created_at: time,
      ended_at: maybe(time),
    },
    indexes: {
      mail_once: { on: ['dedup_key'], unique: true },
      mail_due: { on: ['state', 'next_at'] },
      mail_user: { on: ['user_id'] },
    },
  },
  mail_candidate: {
    columns: {
      id,
      mail_id: partOf('mail'),
      user_id: ref('user'),
      // Not a reference: the message may be deleted before the email is sent.
      message_id: int,
      conversation_id: int,
      topic_id: maybe(int),
      setting: maybe(text),
    },
    indexes: {
      mail_candidate_once: { on: ['user_id', 'message_id'], unique: true },
      mail_candidate_mail: { on: ['mail_id'] },
    },
  },
  mail_progress: { columns: { message_id: int } },
  email_change: {
    columns: {
      id,
      user_id: ref('user'),
      old_email: text,
      new_email: text,
      nonce: text,
      created_at: time,
      confirmed_at: maybe(time),
    },
    indexes: { email_change_user: { on: ['user_id'] } },
  },
  mail_suppressed: {
    columns: { address_key: text, address: text, reason: text, since: time },
    primaryKey: ['address_key'],
  },
}
