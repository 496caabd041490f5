import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { statement, type Tables } from '../../storage/index.ts'
import { groupBy } from '../kernel/base/lists.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { bool } from '../kernel/fields.ts'
import { byDialect, dialectOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import { type Stream, viewersOf } from './access.ts'

/** User ids by stream id: new, former or current subscribers. */
export type ByStream = ReadonlyMap<number, readonly number[]>

/** Whether to answer lists of subscribers. */
/** @NOTE since "partial", some clients send all three values as JSON texts, in quotes */
const spelled = v.pipe(
  v.picklist(['true', 'false']),
  v.transform((word) => word === 'true'),
)
export const includeSubscribers = v.nullish(
  v.union([bool, v.literal('partial'), spelled], '{name} must be true, false or "partial"'),
  false,
)
export const subscribersSentence =
  'Add the ids of the subscribers of each stream; with "partial", of large streams only bots and active users.'

const among = byDialect(({ idsIn }) =>
  statement((db, p: { stream_id: number; user_ids: readonly number[] }) =>
    db
      .selectFrom('subscription')
      .select('user_id')
      .where('stream_id', '=', p.stream_id)
      .where('user_id', 'in', idsIn(p.user_ids))
      .where('is_active', '=', 1)
      .orderBy('user_id'),
  ),
)

const one = statement((db, p: { stream_id: number; user_id: number }) =>
  db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', '=', p.stream_id)
    .where('user_id', '=', p.user_id)
    .where('is_active', '=', 1),
)
/** Up to this many are looked up one by one. Each mention asks this, and a list costs more. */
const FEW = 4

/** Returns which of these users are subscribed to a stream, by id. */
export async function subscribersAmong(tx: Tx, stream_id: number, user_ids: readonly number[]): Promise<number[]> {
  if (user_ids.length <= FEW) {
    const found: number[] = []
    for (const user_id of new Set(user_ids)) {
      if ((await one(tx.db, { stream_id, user_id })).length > 0) found.push(user_id)
    }
    return found.sort((a, b) => a - b)
  }
  return (await among(tx.chat)(tx.db, { stream_id, user_ids })).map((row) => row.user_id)
}

/** Returns which of these users are subscribed, by stream. Streams without any are missing. */
export async function subscribersAmongAll(
  tx: Tx,
  stream_ids: readonly number[],
  user_ids: readonly number[],
): Promise<ByStream> {
  if (user_ids.length === 0) return new Map()
  const { idsIn } = dialectOf(tx.chat)
  const rows = await tx.db
    .selectFrom('subscription')
    .select(['stream_id', 'user_id'])
    .where('stream_id', 'in', idsIn(stream_ids))
    .where('user_id', 'in', idsIn(user_ids))
    .where('is_active', '=', 1)
    .orderBy('user_id')
    .execute()
  return groupBy(
    rows,
    (row) => row.stream_id,
    (row) => row.user_id,
  )
}

/** Active subscribers with active accounts, by id. */
export async function subscriberIds({ db }: Pick<Caller, 'db'>, stream_id: number): Promise<number[]> {
  const rows = await subscribersIn(db).where('subscription.stream_id', '=', stream_id).execute()
  return rows.map((row) => row.user_id)
}

/** The same with their subscriptions and roles. */
export const subscriptionsWithRoles = ({ db }: Pick<Caller, 'db'>, stream_id: number) =>
  db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .selectAll('subscription')
    .select('user.role')
    .where('stream_id', '=', stream_id)
    .where('subscription.is_active', '=', 1)
    .where('user.is_active', '=', 1)
    .orderBy('user_id')
    .execute()

/** The same ids for several streams; those without any are absent. */
export async function subscriberIdsOfAll(
  { db, chat }: Pick<Caller, 'db' | 'chat'>,
  streams: readonly Pick<Stream, 'id'>[],
): Promise<ByStream> {
  const ids = streams.map((stream) => stream.id)
  const rows = await subscribersIn(db).where('subscription.stream_id', 'in', dialectOf(chat).idsIn(ids)).execute()
  return groupBy(
    rows,
    (row) => row.stream_id,
    (row) => row.user_id,
  )
}

const subscribersIn = (db: Caller['db']) =>
  db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .select(['subscription.stream_id', 'user_id'])
    .where('subscription.is_active', '=', 1)
    .where('user.is_active', '=', 1)
    .orderBy('user_id')

/** Streams and users as rows of a query. */
export const pairsOf = (byStream: ByStream): number[][] =>
  [...byStream].flatMap(([stream_id, user_ids]) => user_ids.map((user_id) => [stream_id, user_id]))

type SubscriptionRows = 'subscription' | 'subscription_period'

/** Condition on rows that have a stream and a user: they are one of these pairs. */
export const isPairOf =
  (tx: Pick<Caller, 'chat'>, byStream: ByStream) =>
  ({ eb, refTuple, selectFrom, and }: ExpressionBuilder<Tables, SubscriptionRows>) => {
    const [[stream_id, user_ids] = [], ...others] = byStream
    // A list of ids is much cheaper than one of pairs.
    if (stream_id !== undefined && user_ids && others.length === 0) {
      return and([eb('stream_id', '=', stream_id), eb('user_id', 'in', dialectOf(tx.chat).idsIn(user_ids))])
    }
    return eb(
      refTuple('stream_id', 'user_id'),
      'in',
      selectFrom(dialectOf(tx.chat).rows(['stream_id', 'user_id'], pairsOf(byStream)).as('pair'))
        .select(['pair.stream_id', 'pair.user_id'])
        .$asTuple('stream_id', 'user_id'),
    )
  }

export interface Group {
  streams: Stream[]
  user_ids: readonly number[]
}

/** Groups streams that the same users join or leave. */
export function groupBySubscribers(streams: readonly Stream[], byStream: ByStream): Group[] {
  const groups = new Map<string, Group>()
  for (const stream of streams) {
    const user_ids = byStream.get(stream.id)
    if (!user_ids) continue
    const key = user_ids.join()
    const group = groups.get(key)
    if (group) group.streams.push(stream)
    else groups.set(key, { streams: [stream], user_ids })
  }
  return [...groups.values()]
}

/** Returns the joining or leaving users who know of the stream only while they are subscribed. */
export function outsidersOf(
  streams: readonly Stream[],
  users: readonly Pick<User, 'id' | 'role'>[],
  byStream: ByStream,
): ByStream {
  const roles = new Map(users.map((user) => [user.id, user.role]))
  const outsiders = new Map<number, number[]>()
  for (const stream of streams) {
    const { role = 0 } = viewersOf(stream)
    const ids = (byStream.get(stream.id) ?? []).filter((id) => roles.get(id)! > role)
    if (ids.length > 0) outsiders.set(stream.id, ids)
  }
  return outsiders
}
