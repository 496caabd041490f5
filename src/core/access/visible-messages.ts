import type { Selectable } from 'kysely'
import type { StreamTable } from '../../storage/index.ts'
import { groupBy, indexFrom } from '../kernel/base/lists.ts'
import type { SystemTx } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import { dialectOf } from '../kernel/store.ts'

type Stream = Selectable<StreamTable>

/**
 * The messages that each user can see out of a given list. Equal lists share one array. Users who see none are
 * missing.
 */
export type VisibleMessages = ReadonlyMap<number, readonly number[]>

/**
 * Returns which of these messages each user sees while subscribed to this stream. It implements `visibleTo` for many
 * users, and the access matrix compares the two.
 *
 * @param message_ids - ascending
 */
export async function visibleMessagesOf(
  tx: SystemTx,
  stream: Stream,
  user_ids: readonly number[],
  message_ids: readonly number[],
): Promise<VisibleMessages> {
  const users = await tx.db
    .selectFrom('user')
    .leftJoin('subscription', (join) =>
      join.onRef('subscription.user_id', '=', 'user.id').on('subscription.stream_id', '=', stream.id),
    )
    .select(['user.id', 'user.role', 'subscription.is_active as subscribed'])
    .where('user.id', 'in', dialectOf(tx.chat).idsIn(user_ids))
    .orderBy('user.id')
    .execute()
  const periods = stream.history_public_to_subscribers
    ? undefined
    : await loadSubscriptionPeriods(tx, stream.id, user_ids)
  const visible = new Map<number, readonly number[]>()
  const lists = new Map([[`0,${message_ids.length}`, message_ids]])
  for (const user of users) {
    const open = stream.is_web_public === 1 || (stream.invite_only === 0 && user.role < roles.guest)
    if (open || (user.subscribed === 1 && !periods)) visible.set(user.id, message_ids)
    else if (user.subscribed === 1) {
      const spans = (periods!.get(user.id) ?? [])
        .map(({ from, to }) => [indexFrom(message_ids, from), indexFrom(message_ids, to)] as const)
        .filter(([start, end]) => start < end)
      if (spans.length === 0) continue
      const key = spans.join()
      if (!lists.has(key))
        lists.set(
          key,
          spans.flatMap(([start, end]) => message_ids.slice(start, end)),
        )
      visible.set(user.id, lists.get(key)!)
    }
  }
  return visible
}

/** Loads when each of these users was subscribed to a stream, in message ids: from inclusive, to exclusive. */
async function loadSubscriptionPeriods({ db, chat }: SystemTx, stream_id: number, user_ids: readonly number[]) {
  const rows = await db
    .selectFrom('subscription_period')
    .select(['user_id', 'from_message_id', 'to_message_id'])
    .where('stream_id', '=', stream_id)
    .where('user_id', 'in', dialectOf(chat).idsIn(user_ids))
    .execute()
  return groupBy(
    rows,
    (row) => row.user_id,
    ({ from_message_id: from, to_message_id: to }) => ({ from, to: to ?? Number.POSITIVE_INFINITY }),
  )
}
