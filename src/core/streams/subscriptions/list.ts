import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { isUnset, type SubscriptionTable } from '../../../storage/index.ts'
import { action } from '../../kernel/action.ts'
import { type Caller, inSnapshot } from '../../kernel/context.ts'
import { described, id } from '../../kernel/fields.ts'
import { pacer } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import { newestUserId } from '../../kernel/user.ts'
import { subscriptionShape } from '../../shapes/stream.ts'
import { accessUser } from '../../users/access.ts'
import { accessStreamToRead } from '../access.ts'
import { includeSubscribers, subscriberIds, subscribersSentence } from '../subscribers.ts'
import { streamViews, subscriptionSettingsView } from '../view.ts'

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
    subscriptions: await inSnapshot(
      caller,
      (reader) => subscriptionsOf(reader, { include_subscribers: include_subscribers !== false }),
      {
        rows: (await ownCount(caller)) * (include_subscribers ? await newestUserId(caller.db) : 2),
      },
    ),
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

/** Streams in the first query for subscribers. Later queries have as many as return about this many rows. */
const FIRST_STREAMS = 8
const ROWS = 10_000

/** Active subscribers of many streams, by stream. There may be hundreds of thousands: they are read with pauses. */
export async function subscribersOf(reader: Caller, stream_ids: readonly number[]): Promise<Map<number, number[]>> {
  const lists = new Map<number, number[]>()
  const turn = pacer(reader)
  let size = FIRST_STREAMS
  for (let start = 0; start < stream_ids.length; ) {
    const slice = stream_ids.slice(start, start + size)
    const rows = await readSubscribers(reader, slice)
    for (const { stream_id, user_id } of rows) {
      const list = lists.get(stream_id)
      if (list) list.push(user_id)
      else lists.set(stream_id, [user_id])
    }
    start += slice.length
    // At most twice as many as before: the next streams may be larger.
    size = Math.max(1, Math.round(size * Math.min(2, ROWS / Math.max(rows.length, 1))))
    await turn()
  }
  return lists
}

const readSubscribers = ({ db, chat }: Caller, stream_ids: readonly number[]) =>
  db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .select(['stream_id', 'user_id'])
    .where('stream_id', 'in', dialectOf(chat).idsIn(stream_ids))
    .where('subscription.is_active', '=', 1)
    .where('user.is_active', '=', 1)
    .orderBy('stream_id')
    .orderBy('user_id')
    .execute()

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
