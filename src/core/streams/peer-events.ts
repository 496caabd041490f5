import { emit } from '../events/log/emit.ts'
import { groupBy } from '../kernel/base/lists.ts'
import type { Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { type Stream, viewersOf } from './access.ts'
import { type ByStream, type Group, groupBySubscribers } from './subscribers.ts'

/**
 * Emits that others subscribed or unsubscribed, to users who know of the streams. The users themselves get other
 * events.
 */
export async function emitPeers(
  tx: Tx,
  op: 'peer_add' | 'peer_remove',
  streams: readonly Stream[],
  byStream: ByStream,
): Promise<void> {
  const seenByInsiders = await streamsWithOutsiders(tx, streams)
  for (const group of groupBySubscribers(streams, byStream)) {
    const { user_ids } = group
    // Users who know of a stream only as subscribers must not get the other streams of the event.
    const [single, many] = apart(group, (stream) => seenByInsiders.has(stream.id))
    for (const stream of single) {
      const event = { type: 'subscription', op, stream_ids: [stream.id], user_ids } as const
      await emit(tx, event, { ...viewersOf(stream), except: user_ids })
    }
    for (const [role, known] of groupBy(many, (stream) => viewersOf(stream).role!)) {
      const stream_ids = known.map((stream) => stream.id)
      await emit(tx, { type: 'subscription', op, stream_ids, user_ids }, { role, except: user_ids })
    }
  }
}

function apart({ streams }: Group, isFirst: (stream: Stream) => boolean): [Stream[], Stream[]] {
  const first = streams.filter(isFirst)
  // A single stream needs no query: the event has its own audience.
  return streams.length === 1 ? [streams, []] : [first, streams.filter((stream) => !isFirst(stream))]
}

/** Returns the streams with users who know of them only as subscribers. */
async function streamsWithOutsiders(tx: Tx, streams: readonly Stream[]): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  if (streams.length < 2) return found
  for (const [role, known] of groupBy(streams, (stream) => viewersOf(stream).role!)) {
    const ids = known.map((stream) => [stream.id])
    const rows = await tx.db
      .selectFrom(dialectOf(tx.chat).rows(['id'], ids).as('known'))
      .select('known.id')
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('subscription')
            .innerJoin('user', 'user.id', 'subscription.user_id')
            .select('user.id')
            .whereRef('subscription.stream_id', '=', 'known.id')
            .where('subscription.is_active', '=', 1)
            .where('user.role', '>', role),
        ),
      )
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}
