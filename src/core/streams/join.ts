import type { Selectable } from 'kysely'
import { flag, type SubscriptionTable } from '../../storage/index.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { groupBy } from '../kernel/base/lists.ts'
import type { Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import { emitStarChanges, visibleStars } from '../read-state/stars.ts'
import { emitVisibilityChanges, visibleUsersAround } from '../users/visibility-changes.ts'
import type { Stream } from './access.ts'
import { colorOf } from './colors.ts'
import { emitPeers } from './peer-events.ts'
import { countSubscribers } from './subscriber-count.ts'
import {
  type ByStream,
  groupBySubscribers,
  isPairOf,
  outsidersOf,
  pairsOf,
  subscriberIdsOfAll,
  subscribersAmongAll,
} from './subscribers.ts'
import { beginPeriods } from './subscription-history.ts'
import { streamViews, subscriptionSettingsView } from './view.ts'

/** Subscribes users to the streams they aren't subscribed to. Returns the new subscribers by stream. */
export async function addSubscribers(tx: Tx, streams: readonly Stream[], users: readonly User[]): Promise<ByStream> {
  const stream_ids = streams.map((stream) => stream.id)
  const already = await subscribersAmongAll(
    tx,
    stream_ids,
    users.map((user) => user.id),
  )
  const added = new Map<number, number[]>()
  for (const id of stream_ids) {
    const there = new Set(already.get(id))
    const come = users.filter((user) => !there.has(user.id)).map((user) => user.id)
    if (come.length > 0) added.set(id, come)
  }
  if (added.size === 0) return added
  const joining = { users: [...new Set([...added.values()].flat())] }
  const stars = await visibleStars(tx, streams, joining)
  const visible = await visibleUsersAround(tx, joining.users)
  await insertSubscriptions(tx, added)
  const joinedBy = new Map([...added].map(([id, user_ids]) => [id, user_ids.length]))
  const counted = await countSubscribers(tx, streams, joinedBy)
  await emitVisibilityChanges(tx, visible, await visibleUsersAround(tx, joining.users))
  await beginPeriods(tx, added)
  await emitAdded(tx, counted, users, added)
  await emitPeers(tx, 'peer_add', streams, added)
  await emitStarChanges(tx, stars, await visibleStars(tx, streams, joining))
  return added
}

async function insertSubscriptions(tx: Tx, added: ByStream): Promise<void> {
  const pairs = pairsOf(added)
  const counts = await subscriptionCounts(tx, [...new Set(pairs.map(([, user_id]) => user_id!))])
  const ofColor = groupBy(pairs, ([, user_id]) => {
    const count = counts.get(user_id!) ?? 0
    counts.set(user_id!, count + 1)
    return colorOf(count)
  })
  // One statement per color, however many pairs.
  for (const [color, rows] of ofColor) {
    await tx.db
      .insertInto('subscription')
      .columns(['stream_id', 'user_id', 'is_active', 'color', 'is_muted', 'pin_to_top'])
      .expression((eb) =>
        eb
          .selectFrom(dialectOf(tx.chat).rows(['stream_id', 'user_id'], rows).as('pair'))
          .select([
            'pair.stream_id',
            'pair.user_id',
            eb.val(flag(true)).as('is_active'),
            eb.val(color).as('color'),
            eb.val(flag(false)).as('is_muted'),
            eb.val(flag(false)).as('pin_to_top'),
          ])
          // Without a condition, SQLite would parse the conflict clause as part of a join.
          .where('pair.user_id', 'is not', null),
      )
      // A user who subscribes again gets their earlier color and settings.
      .onConflict((oc) => oc.columns(['user_id', 'stream_id']).doUpdateSet({ is_active: 1 }))
      .execute()
  }
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

/**
 * Emits the events of new subscriptions.
 *
 * @param back the subscribers and subscriptions of unarchived streams, for clients that don't know archived ones
 */
export async function emitAdded(
  tx: Tx,
  streams: readonly Stream[],
  users: readonly Pick<User, 'id' | 'role'>[],
  added: ByStream,
  back?: { subscribers: ByStream; rows: readonly Row[] },
): Promise<void> {
  const joined = streams.filter((stream) => added.has(stream.id))
  const views = new Map((await streamViews(tx, joined)).map((view) => [view.stream_id, view]))
  const everybody = back?.subscribers ?? (await subscriberIdsOfAll(tx, joined))
  const own = groupBy(back?.rows ?? (await rowsOf(tx, added)), (row) => row.user_id)
  // Users who could not see a stream get the stream first, then their subscription.
  const outsiders = back ? new Map<number, number[]>() : outsidersOf(joined, users, added)
  for (const group of groupBySubscribers(joined, outsiders)) {
    const shown = group.streams.map((stream) => views.get(stream.id)!)
    await emit(tx, { type: 'stream', op: 'create', streams: shown }, only(...group.user_ids))
  }
  // Equal subscriptions share one event. With one event each, the lists of subscribers would add up to the square of
  // their number.
  const looks = new Map<string, { rows: readonly Row[]; users: number[] }>()
  for (const [user_id, rows] of own) {
    const key = rows.map(looksOf).join()
    const group = looks.get(key)
    if (group) group.users.push(user_id)
    else looks.set(key, { rows, users: [user_id] })
  }
  for (const group of looks.values()) {
    const subscriptions = group.rows.map((row) => ({
      ...views.get(row.stream_id)!,
      ...subscriptionSettingsView(row),
      subscribers: [...(everybody.get(row.stream_id) ?? [])],
    }))
    const event = {
      type: 'subscription',
      op: 'add',
      subscriptions,
      ...(back && { was_archived: true as const }),
    } as const
    await emit(tx, event, only(...group.users))
  }
}

type Row = Selectable<SubscriptionTable>

/** Equal for rows of one stream that look the same to their users. */
const looksOf = (row: Row): string => [row.stream_id, ...Object.values(subscriptionSettingsView(row))].join(' ')

const rowsOf = (tx: Tx, added: ByStream): Promise<Row[]> =>
  tx.db
    .selectFrom('subscription')
    .selectAll()
    .where(isPairOf(tx, added))
    .orderBy('user_id')
    .orderBy('stream_id')
    .execute()
