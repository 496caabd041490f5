import { emit } from '../../events/log/emit.ts'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { viewersOf } from '../../streams/access.ts'
import { invalidateStream } from '../../streams/stored.ts'

/** Call it after messages were moved into or out of streams, or deleted: updates each stream's oldest message. */
export async function keepFirstMessage(tx: Tx, stream_ids: readonly number[]): Promise<void> {
  const before = await firstMessages(tx, stream_ids)
  await tx.db
    .updateTable('stream')
    .set((eb) => ({
      first_message_id: eb
        .selectFrom('message')
        .select('message.id')
        .whereRef('message.conversation_id', '=', 'stream.id')
        .orderBy('message.id')
        .limit(1),
    }))
    .where('id', 'in', dialectOf(tx.chat).idsIn(stream_ids))
    .execute()
  for (const [stream_id, first_message_id] of await firstMessages(tx, stream_ids)) {
    if (before.get(stream_id) === first_message_id) continue
    invalidateStream(tx, stream_id)
    await emitFirstMessage(tx, stream_id, first_message_id)
  }
}

/** Records the first message of a stream that had none. */
export async function recordFirstMessage(tx: Tx, stream_id: number, message_id: number): Promise<void> {
  const first = await tx.db
    .updateTable('stream')
    .set({ first_message_id: message_id })
    .where('id', '=', stream_id)
    .where('first_message_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  invalidateStream(tx, stream_id)
  if (first) await emitFirstMessage(tx, stream_id, message_id)
}

async function firstMessages(tx: Tx, stream_ids: readonly number[]): Promise<Map<number, number | null>> {
  const rows = await tx.db
    .selectFrom('stream')
    .select(['id', 'first_message_id'])
    .where('id', 'in', dialectOf(tx.chat).idsIn(stream_ids))
    .execute()
  return new Map(rows.map((row) => [row.id, row.first_message_id]))
}

/** The audience includes users who know of the stream but do not receive its messages. */
async function emitFirstMessage(tx: Tx, stream_id: number, value: number | null): Promise<void> {
  const stream = await tx.db.selectFrom('stream').selectAll().where('id', '=', stream_id).executeTakeFirstOrThrow()
  const { name } = stream
  const event = { type: 'stream', op: 'update', stream_id, name, property: 'first_message_id', value } as const
  await emit(tx, event, viewersOf(stream))
}
