import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { isUnset, type SubscriptionTable } from '../../storage/index.ts'
import { action } from '../action.ts'
import { groupBy } from '../base/lists.ts'
import type { Caller } from '../context.ts'
import { bool, described } from '../fields.ts'
import { subscriptionShape } from '../shapes/stream.ts'
import { dialectOf } from '../store.ts'
import { streamViews, subscriptionSettingsView } from '../streams/view.ts'

/**
 * GET /users/me/subscriptions
 *
 * @throws USER_DEACTIVATED when the caller's account is deactivated
 * @example
 * const { subscriptions } = await getSubscriptions(caller)
 */
export const getSubscriptions = action(
  {
    name: 'getSubscriptions',
    summary: 'Get your subscriptions',
    params: v.object({
      include_subscribers: described(v.nullish(bool, false), 'Add the ids of the subscribers of each stream.'),
    }),
    result: v.strictObject({ subscriptions: v.array(subscriptionShape) }),
  },
  async (caller, { include_subscribers }) => ({
    subscriptions: await subscriptionsOf(caller, { include_subscribers }),
  }),
)

/** The caller's subscriptions, each with its stream. Always three queries. */
async function subscriptionsOf(caller: Caller, options: { include_subscribers: boolean }) {
  const rows = await caller.db
    .selectFrom('subscription')
    .selectAll()
    .where('user_id', '=', caller.user.id)
    .where('is_active', '=', 1)
    .execute()
  const byStream = new Map<number, Selectable<SubscriptionTable>>(rows.map((row) => [row.stream_id, row]))
  const streams = await caller.db
    .selectFrom('stream')
    .selectAll()
    .where('id', 'in', dialectOf(caller.chat).idsIn([...byStream.keys()]))
    .where('is_archived', '=', isUnset)
    .orderBy('name_key')
    .execute()
  const subscribers = options.include_subscribers
    ? await subscribersOf(
        caller,
        streams.map((s) => s.id),
      )
    : undefined
  const views = await streamViews(caller, streams)
  return views.map((view) => ({
    ...view,
    ...subscriptionSettingsView(byStream.get(view.stream_id)!),
    ...(subscribers && { subscribers: subscribers.get(view.stream_id) ?? [] }),
  }))
}

/** Active subscribers of many streams at once, by stream. */
export async function subscribersOf(
  { db, chat }: Caller,
  stream_ids: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .select(['stream_id', 'user_id'])
    .where('stream_id', 'in', dialectOf(chat).idsIn(stream_ids))
    .where('subscription.is_active', '=', 1)
    .where('user.is_active', '=', 1)
    .orderBy('stream_id')
    .orderBy('user_id')
    .execute()
  return groupBy(
    rows,
    (row) => row.stream_id,
    (row) => row.user_id,
  )
}
