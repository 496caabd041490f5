import { groupBy } from '../kernel/base/lists.ts'
import type { SystemTx, Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { StreamView } from '../shapes/stream.ts'
import type { Stream } from './access.ts'
import { invalidateStream } from './stored.ts'

/**
 * Adds to the stored numbers of active subscribers, by stream: to be called by everything that changes a subscription, or whether
 * the account of a subscriber is active. Returns the streams as they are then.
 */
export async function countSubscribers<S extends Stream>(
  tx: Tx,
  streams: readonly S[],
  changes: ReadonlyMap<number, number>,
): Promise<S[]> {
  const counts = new Map<number, number>()
  // Mostly the same users join or leave all the streams: one statement.
  for (const [by, same] of groupBy([...changes], ([, by]) => by)) {
    const ids = same.map(([stream_id]) => stream_id)
    const rows = await tx.db
      .updateTable('stream')
      .set((eb) => ({ subscriber_count: eb('subscriber_count', '+', by) }))
      .where('id', 'in', dialectOf(tx.chat).idsIn(ids))
      .returning(['id', 'subscriber_count'])
      .execute()
    for (const row of rows) {
      counts.set(row.id, row.subscriber_count)
      invalidateStream(tx, row.id)
    }
  }
  return streams.map((stream) => ({
    ...stream,
    subscriber_count: counts.get(stream.id) ?? stream.subscriber_count,
  }))
}

/** A stream in an event after which readers get its subscribers as peers, who are counted then. */
export const withoutSubscribers = (view: StreamView): StreamView => ({ ...view, subscriber_count: 0 })

/** Counts the active subscribers of these streams again, after subscriptions were written without events. */
export async function recountSubscribers(tx: SystemTx, stream_ids: readonly number[]): Promise<void> {
  await tx.db
    .updateTable('stream')
    .set((eb) => ({
      subscriber_count: eb
        .selectFrom('subscription')
        .innerJoin('user', 'user.id', 'subscription.user_id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('subscription.stream_id', '=', 'stream.id')
        .where('subscription.is_active', '=', 1)
        .where('user.is_active', '=', 1)
        .$asScalar()
        .$notNull(),
    }))
    .where('id', 'in', dialectOf(tx.chat).idsIn(stream_ids))
    .execute()
  for (const id of stream_ids) invalidateStream(tx, id)
}
