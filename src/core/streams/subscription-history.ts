import { periodsOfUser } from '../events/log/audience.ts'
import { position } from '../events/log/emit.ts'
import type { Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { mutedStreams } from './stored.ts'
import { type ByStream, isPairOf, pairsOf } from './subscribers.ts'

/** The newest message and event ids: users who join now receive everything after them. */
async function now(tx: Tx): Promise<{ message: number; event: number }> {
  const newest = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return { message: (newest?.id ?? 0) + 1, event: position(tx) + 1 }
}

/** Starts subscription periods: the users receive messages and events after this point. */
export async function beginPeriods(tx: Tx, joined: ByStream): Promise<void> {
  const { message, event } = await now(tx)
  const pairs = pairsOf(joined)
  await tx.db
    .insertInto('subscription_period')
    .columns(['stream_id', 'user_id', 'from_message_id', 'from_event_id'])
    .expression((eb) =>
      eb
        .selectFrom(dialectOf(tx.chat).rows(['stream_id', 'user_id'], pairs).as('pair'))
        .select(['pair.stream_id', 'pair.user_id', eb.val(message).as('message'), eb.val(event).as('event')]),
    )
    .execute()
  forgetPeriods(tx, joined)
}

/** Ends subscription periods: the users receive no later messages and events. */
export async function endPeriods(tx: Tx, left: ByStream): Promise<void> {
  const { message, event } = await now(tx)
  await tx.db
    .updateTable('subscription_period')
    .set({ to_message_id: message, to_event_id: event })
    .where('to_message_id', 'is', null)
    .where(isPairOf(tx, left))
    .execute()
  forgetPeriods(tx, left)
}

function forgetPeriods(tx: Tx, byStream: ByStream): void {
  for (const user_id of new Set([...byStream.values()].flatMap((user_ids) => [...user_ids]))) {
    periodsOfUser.invalidate(tx, user_id)
    mutedStreams.invalidate(tx, user_id)
  }
}
