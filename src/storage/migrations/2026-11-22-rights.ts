import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Keys that can be listed and ended one by one, repeatable requests, storage for bots, an index for stars. */
export const rights: Migration = {
  name: '2026-11-22-rights',
  async up(db, dialect) {
    const { schema } = db
    const text = sql.raw(dialect.columnTypes.text)
    await schema
      .alterTable('api_key')
      .addColumn('name', text, (c) => c.notNull().defaultTo(''))
      .execute()
    await schema.alterTable('api_key').addColumn('last_used_at', 'bigint').execute()
    // Not a foreign key: the key may be deleted before its queue.
    await schema.alterTable('queue').addColumn('key_id', 'bigint').execute()

    // The existing records of sends lack a digest of the content; dropping them is harmless, as clients repeat a
    // send within seconds.
    await schema.dropTable('send_receipt').execute()
    await schema
      .createTable('send_receipt')
      .addColumn('sender_id', 'bigint', (c) => c.notNull().references('user.id'))
      .addColumn('queue_id', text, (c) => c.notNull())
      .addColumn('local_id', text, (c) => c.notNull())
      .addColumn('digest', text, (c) => c.notNull())
      .addColumn('message_id', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('send_receipt_pk', ['sender_id', 'queue_id', 'local_id', 'digest'])
      .execute()
    await schema.createIndex('send_receipt_age').on('send_receipt').column('created_at').execute()

    await schema
      .createTable('idempotency_key')
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id'))
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('digest', text, (c) => c.notNull())
      .addColumn('answer', text, (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotency_key_pk', ['user_id', 'key'])
      .execute()
    await schema.createIndex('idempotency_key_age').on('idempotency_key').column('created_at').execute()

    await schema
      .createTable('bot_storage')
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('user.id'))
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('value', text, (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('bot_storage_pk', ['user_id', 'key'])
      .execute()

    await schema
      .createIndex('message_flag_starred')
      .on('message_flag')
      .columns(['user_id', 'message_id'])
      .where(sql<boolean>`flags % 2 = 1`)
      .execute()
  },
}
