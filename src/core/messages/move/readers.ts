import type { Tx } from '../../context.ts'
import { roles } from '../../roles.ts'
import { dialectOf } from '../../store.ts'
import type { Stream } from '../../streams/access.ts'
import { loadSubscriptionPeriods } from '../../streams/subscription-history.ts'
import type { Move } from './move-details.ts'

/** Of some messages, those that each user can see, equal lists being the same; users who see none are absent. */
export type VisibleMessages = ReadonlyMap<number, readonly number[]>

/** Who could see the messages where they were, among those who are concerned: both streams' people, and the writers. */
export async function viewersBeforeMove(tx: Tx, move: Move): Promise<VisibleMessages> {
  const { from, to, moved } = move
  if (from.stream.id === to.stream.id) return new Map()
  const { idsIn } = dialectOf(tx.chat)
  const ids = moved.map((message) => message.id)
  const rows = await tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', 'in', idsIn([from.stream.id, to.stream.id]))
    .where('is_active', '=', 1)
    .union((eb) => eb.selectFrom('message_flag').select('user_id').where('message_id', 'in', idsIn(ids)))
    .union((eb) => eb.selectFrom('message').select('sender_id as user_id').where('id', 'in', idsIn(ids)))
    .execute()
  return visibleMessagesOf(
    tx,
    from.stream,
    rows.map((row) => row.user_id),
    ids,
  )
}

/**
 * Which of these messages each of these users sees while they are in this stream. It is the rule of visible.ts for
 * many users at once; the access matrix holds one against the other.
 */
export async function visibleMessagesOf(
  tx: Tx,
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
  const lists = new Map([[message_ids.join(), message_ids]])
  for (const user of users) {
    const open = stream.is_web_public === 1 || (stream.invite_only === 0 && user.role < roles.guest)
    if (open || (user.subscribed === 1 && !periods)) visible.set(user.id, message_ids)
    else if (user.subscribed === 1) {
      const own = periods!.get(user.id) ?? []
      const seen = message_ids.filter((id) => own.some((stay) => stay.from <= id && id < stay.to))
      if (seen.length === 0) continue
      const key = seen.join()
      if (!lists.has(key)) lists.set(key, seen)
      visible.set(user.id, lists.get(key)!)
    }
  }
  return visible
}
