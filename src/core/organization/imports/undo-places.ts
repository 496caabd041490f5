import { sql } from 'kysely'
import { periodsOfUser } from '../../events/log/audience.ts'
import type { Tx } from '../../kernel/context.ts'
import { invalidateTopic } from '../../messages/send/topics.ts'
import { invalidateStream, mutedStreams } from '../../streams/stored.ts'
import { type Brought, idsOf } from './brought.ts'
import type { ImportRow } from './journal.ts'
import { countIfActive } from './write-places.ts'

export async function removeTopics(tx: Tx, rows: readonly Brought[]): Promise<void> {
  for (const { object_id, source_id } of rows) {
    const isUsed = await tx.db
      .selectFrom('message')
      .select('id')
      .where('topic_id', '=', object_id)
      .limit(1)
      .executeTakeFirst()
    if (isUsed) continue
    const [stream = '', ...key] = source_id.split('\n')
    await tx.db.deleteFrom('topic').where('id', '=', object_id).execute()
    invalidateTopic(tx, Number(stream), key.join('\n'))
  }
}

export async function removeSubscriptions(
  tx: Tx,
  { id, first_message_id }: ImportRow,
  rows: readonly Brought[],
): Promise<void> {
  for (const { source_id, object_id: user_id } of rows) {
    const [channel = ''] = source_id.split('\n')
    const stream = await tx.db
      .selectFrom('import_object')
      .select('object_id')
      .where('import_id', '=', id)
      .where('kind', '=', 'channel')
      .where('source_id', '=', channel)
      .executeTakeFirst()
    if (!stream) continue
    const stream_id = stream.object_id
    await countIfActive(tx, user_id, stream_id, -1)
    await tx.db.deleteFrom('subscription').where('user_id', '=', user_id).where('stream_id', '=', stream_id).execute()
    await tx.db
      .deleteFrom('subscription_period')
      .where('user_id', '=', user_id)
      .where('stream_id', '=', stream_id)
      .where('from_message_id', '>=', first_message_id)
      .execute()
    periodsOfUser.invalidate(tx, user_id)
    mutedStreams.invalidate(tx, user_id)
  }
}

/** Removes the read state of the import's messages. Ranges keep their other messages. */
export async function removeReadState(
  tx: Tx,
  { first_message_id, last_message_id }: ImportRow,
  most: number,
): Promise<number> {
  const [first, last] = [first_message_id!, last_message_id!]
  const rows = await tx.db
    .selectFrom('read_range')
    .selectAll()
    .where('lo', '<=', last)
    .where('hi', '>=', first)
    .limit(most)
    .execute()
  for (const { user_id, conversation_id, lo, hi } of rows) {
    const here = { user_id, conversation_id }
    await tx.db
      .deleteFrom('read_range')
      .where('user_id', '=', user_id)
      .where('conversation_id', '=', conversation_id)
      .where('lo', '=', lo)
      .execute()
    if (lo < first)
      await tx.db
        .insertInto('read_range')
        .values({ ...here, lo, hi: first - 1 })
        .execute()
    if (hi > last)
      await tx.db
        .insertInto('read_range')
        .values({ ...here, lo: last + 1, hi })
        .execute()
  }
  return rows.length
}

export async function removeConversations(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const ids = idsOf(tx, rows)
  await tx.db.deleteFrom('read_range').where('conversation_id', 'in', ids).execute()
  await tx.db.deleteFrom('direct_participant').where('conversation_id', 'in', ids).execute()
  await tx.db.deleteFrom('conversation').where('id', 'in', ids).execute()
}

export async function removeChannels(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const ids = idsOf(tx, rows)
  for (const table of ['user_topic', 'default_stream', 'subscription', 'topic'] as const)
    await sql`delete from ${sql.table(table)} where stream_id in ${ids}`.execute(tx.db)
  await tx.db.deleteFrom('read_range').where('conversation_id', 'in', ids).execute()
  await tx.db.deleteFrom('stream').where('id', 'in', ids).execute()
  await tx.db.deleteFrom('conversation').where('id', 'in', ids).execute()
  for (const { object_id } of rows) invalidateStream(tx, object_id)
}
