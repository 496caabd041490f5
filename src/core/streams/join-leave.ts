import type { Caller, Tx } from '../context.ts'
import { only } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { readOnLeaving } from '../read-state/after-leaving.ts'
import type { SubscriptionSettingsView } from '../shapes/stream.ts'
import { dialectOf } from '../store.ts'
import type { User } from '../user.ts'
import { type Stream, viewersOf } from './access.ts'
import { colorOf } from './colors.ts'
import { beginPeriods, endPeriods } from './subscription-history.ts'
import { forgetTopics } from './user-topics.ts'
import { streamViews, subscriptionSettingsView } from './view.ts'

/** Subscribes users who are not subscribed yet; returns the ids of those who now are. */
export async function addSubscribers(tx: Tx, stream: Stream, users: readonly User[]): Promise<number[]> {
  const requested = users.map((user) => user.id)
  const already = new Set(await subscribersAmong(tx, stream.id, requested))
  const added = requested.filter((id) => !already.has(id))
  if (added.length === 0) return []
  const counts = await subscriptionCounts(tx, added)
  for (let i = 0; i < added.length; i += 1000) {
    await tx.db
      .insertInto('subscription')
      .values(
        added.slice(i, i + 1000).map((user_id) => ({
          user_id,
          stream_id: stream.id,
          is_active: 1 as const,
          color: colorOf(counts.get(user_id) ?? 0),
          is_muted: 0 as const,
          pin_to_top: 0 as const,
          desktop_notifications: null,
          audible_notifications: null,
          push_notifications: null,
          email_notifications: null,
          wildcard_mentions_notify: null,
        })),
      )
      // Somebody who comes back finds their colour and settings as they left them.
      .onConflict((oc) => oc.columns(['user_id', 'stream_id']).doUpdateSet({ is_active: 1 }))
      .execute()
  }
  await beginPeriods(tx, stream.id, added)
  await emitStreamAdded(tx, stream, added)
  return added
}

async function emitStreamAdded(tx: Tx, stream: Stream, user_ids: readonly number[]): Promise<void> {
  const view = (await streamViews(tx, [stream]))[0]!
  const subscribers = await subscriberIds(tx, stream.id)
  const rows = await tx.db
    .selectFrom('subscription')
    .selectAll()
    .where('stream_id', '=', stream.id)
    .where('user_id', 'in', dialectOf(tx.chat).idsIn(user_ids))
    .execute()
  // Those who could not see the stream hear of it first, then that they are in it.
  const strangers = await outsidersAmong(tx, stream, user_ids)
  if (strangers.length > 0) await emit(tx, { type: 'stream', op: 'create', streams: [view] }, only(...strangers))
  // Subscriptions that look alike are told in one event: the list of subscribers in each would add up to its square.
  const alike = new Map<string, { own: SubscriptionSettingsView; users: number[] }>()
  for (const row of rows) {
    const own = subscriptionSettingsView(row)
    const key = JSON.stringify(own)
    const group = alike.get(key) ?? { own, users: [] }
    alike.set(key, group)
    group.users.push(row.user_id)
  }
  for (const { own, users } of alike.values()) {
    const subscription = { ...view, ...own, subscribers }
    await emit(tx, { type: 'subscription', op: 'add', subscriptions: [subscription] }, only(...users))
  }
  await emit(
    tx,
    { type: 'subscription', op: 'peer_add', stream_ids: [stream.id], user_ids },
    {
      ...viewersOf(stream),
      except: user_ids,
    },
  )
}

/** Ends subscriptions; returns the ids of those who had one. */
export async function removeSubscribers(tx: Tx, stream: Stream, user_ids: readonly number[]): Promise<number[]> {
  const removed = await subscribersAmong(tx, stream.id, user_ids)
  if (removed.length === 0) return []
  await readOnLeaving(tx, stream.id, removed)
  await tx.db
    .updateTable('subscription')
    .set({ is_active: 0 })
    .where('stream_id', '=', stream.id)
    .where('user_id', 'in', dialectOf(tx.chat).idsIn(removed))
    .execute()
  // Said before they leave, so that it is the last thing of this stream that they see.
  const subscriptions = [{ stream_id: stream.id, name: stream.name }]
  await emit(tx, { type: 'subscription', op: 'remove', subscriptions }, only(...removed))
  await endPeriods(tx, stream.id, removed)
  const strangers = await outsidersAmong(tx, stream, removed)
  if (strangers.length > 0) {
    const streams = await streamViews(tx, [stream])
    await forgetTopics(tx, stream.id, strangers)
    await emit(tx, { type: 'stream', op: 'delete', stream_ids: [stream.id], streams }, only(...strangers))
  }
  const peers = { type: 'subscription', op: 'peer_remove', stream_ids: [stream.id], user_ids: removed } as const
  await emit(tx, peers, { ...viewersOf(stream), except: removed })
  return removed
}

/** Those who know of the stream only while they are subscribed. */
async function outsidersAmong(tx: Tx, stream: Stream, user_ids: readonly number[]): Promise<number[]> {
  const { role = 0 } = viewersOf(stream)
  const rows = await tx.db
    .selectFrom('user')
    .select('id')
    .where('id', 'in', dialectOf(tx.chat).idsIn(user_ids))
    .where('role', '>', role)
    .execute()
  return rows.map((row) => row.id)
}

export async function subscribersAmong(tx: Tx, stream_id: number, user_ids: readonly number[]): Promise<number[]> {
  if (user_ids.length === 0) return []
  const rows = await tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', '=', stream_id)
    .where('is_active', '=', 1)
    .where('user_id', 'in', dialectOf(tx.chat).idsIn(user_ids))
    .execute()
  return rows.map((row) => row.user_id)
}

/** Active subscribers with active accounts, by id. */
export async function subscriberIds({ db }: Pick<Caller, 'db'>, stream_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .select('user_id')
    .where('stream_id', '=', stream_id)
    .where('subscription.is_active', '=', 1)
    .where('user.is_active', '=', 1)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

async function subscriptionCounts(tx: Tx, user_ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.db
    .selectFrom('subscription')
    .select((eb) => ['user_id', eb.fn.countAll<number>().as('count')])
    .where('user_id', 'in', dialectOf(tx.chat).idsIn(user_ids))
    .groupBy('user_id')
    .execute()
  return new Map(rows.map((row) => [row.user_id, row.count]))
}
