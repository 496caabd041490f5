import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { isUnset, type SubscriptionTable } from '../../../storage/index.ts'
import { action } from '../../kernel/action.ts'
import { type Caller, inSnapshot } from '../../kernel/context.ts'
import { described, id } from '../../kernel/fields.ts'
import { dialectOf } from '../../kernel/store.ts'
import { newestUserId } from '../../kernel/user.ts'
import { subscriptionShape } from '../../shapes/stream.ts'
import { accessUser } from '../../users/access.ts'
import { accessStreamToRead } from '../access.ts'
import { includeSubscribers, subscriberIds, subscribersSentence } from '../subscribers.ts'
import { streamViews, subscriptionSettingsView } from '../view.ts'
import { subscriberLists } from './subscriber-lists.ts'

/**
 * GET /users/me/subscriptions: lists the caller's subscriptions.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 * @example
 * const { subscriptions } = await getSubscriptions(caller)
 */
export const getSubscriptions = action(
  {
    name: 'getSubscriptions',
    summary: 'Get your subscriptions',
    params: v.object({
      include_subscribers: described(includeSubscribers, subscribersSentence),
    }),
    result: v.strictObject({ subscriptions: v.array(subscriptionShape) }),
  },
  async (caller, { include_subscribers }) => ({
    subscriptions: await inSnapshot(caller, (reader) => subscriptionsOf(reader, include_subscribers), {
      rows: (await ownCount(caller)) * (include_subscribers ? await newestUserId(caller.db) : 2),
    }),
  }),
)

async function ownCount({ db, user }: Caller): Promise<number> {
  const own = await db
    .selectFrom('subscription')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return own.count
}

/** The caller's subscriptions, each with its stream. */
async function subscriptionsOf(caller: Caller, include_subscribers: boolean | 'partial') {
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
  const listOf = include_subscribers
    ? await subscriberLists(caller, streams, include_subscribers === 'partial')
    : undefined
  const views = await streamViews(caller, streams)
  return views.map((view) => ({
    ...view,
    ...subscriptionSettingsView(byStream.get(view.stream_id)!),
    ...listOf?.(view.stream_id),
  }))
}

/**
 * GET /streams/{stream_id}/members: lists the subscribers of a stream.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream
 */
export const getSubscribers = action(
  {
    name: 'getSubscribers',
    summary: 'Get the subscribers of a channel',
    params: v.object({ stream_id: described(id, 'ID of the channel.') }),
    result: v.strictObject({ subscribers: v.array(id) }),
  },
  async (caller, { stream_id }) => {
    await accessStreamToRead(caller, stream_id)
    return { subscribers: await subscriberIds(caller, stream_id) }
  },
)

/**
 * GET /users/{user_id}/subscriptions/{stream_id}: returns whether a user is subscribed to a stream.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream; "No such user"
 */
export const isSubscribed = action(
  {
    name: 'isSubscribed',
    summary: 'Check whether a user is subscribed to a channel',
    params: v.object({ user_id: described(id, 'ID of the user.'), stream_id: described(id, 'ID of the channel.') }),
    result: v.strictObject({ is_subscribed: v.boolean() }),
  },
  async (caller, { user_id, stream_id }) => {
    await accessUser(caller, user_id)
    await accessStreamToRead(caller, stream_id)
    const row = await caller.db
      .selectFrom('subscription')
      .select('is_active')
      .where('user_id', '=', user_id)
      .where('stream_id', '=', stream_id)
      .executeTakeFirst()
    return { is_subscribed: row?.is_active === 1 }
  },
)
