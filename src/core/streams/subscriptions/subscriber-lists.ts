import { seconds } from '../../kernel/base/clock.ts'
import type { Caller } from '../../kernel/context.ts'
import { pacer } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { Stream } from '../access.ts'

/** Partial lists are only for streams with at least this many subscribers. */
const LARGE = 250
/** They have all people active in the last 14 days. */
const RECENTLY = 14 * 86_400

type Lists = { subscribers: number[] } | { partial_subscribers: number[] }

/**
 * Returns a function that gives the subscribers of one of these streams.
 *
 * @param partial - whether lists of large streams may have only bots and recently active users
 */
export async function subscriberLists(
  reader: Caller,
  streams: readonly Pick<Stream, 'id' | 'subscriber_count'>[],
  partial: boolean,
): Promise<(stream_id: number) => Lists> {
  const large = new Set(streams.filter((one) => partial && one.subscriber_count >= LARGE).map(({ id }) => id))
  const small = streams.filter(({ id }) => !large.has(id)).map(({ id }) => id)
  const whole = await subscribersOf(reader, small)
  const parts = large.size > 0 ? await subscribersOf(reader, [...large], await recentlyActive(reader)) : undefined
  return (id) => (large.has(id) ? { partial_subscribers: parts?.get(id) ?? [] } : { subscribers: whole.get(id) ?? [] })
}

/** Returns bots, and people who were present, used a key, or joined in the last days. */
async function recentlyActive({ db, chat }: Caller): Promise<number[]> {
  const since = seconds(chat.clock) - RECENTLY
  const rows = await db
    .selectFrom('user')
    .select('id')
    .where((eb) => eb.or([eb('bot_type', 'is not', null), eb('date_joined', '>=', since)]))
    .union(
      db
        .selectFrom('presence')
        .select('user_id as id')
        .where((eb) => eb.or([eb('active_at', '>=', since), eb('idle_at', '>=', since)])),
    )
    .union(db.selectFrom('api_key').select('user_id as id').where('last_used_at', '>=', since))
    .execute()
  return rows.map((row) => row.id)
}

/** Streams in the first query for subscribers. Later queries have as many as return about this many rows. */
const FIRST_STREAMS = 8
const ROWS = 10_000

/**
 * Active subscribers of many streams, by stream. There may be hundreds of thousands: they are read with pauses.
 *
 * @param among - only these users; all by default
 */
export async function subscribersOf(
  reader: Caller,
  stream_ids: readonly number[],
  among?: readonly number[],
): Promise<Map<number, number[]>> {
  const lists = new Map<number, number[]>()
  const turn = pacer(reader)
  let size = FIRST_STREAMS
  for (let start = 0; start < stream_ids.length; ) {
    const slice = stream_ids.slice(start, start + size)
    const rows = await readSubscribers(reader, slice, among)
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

function readSubscribers({ db, chat }: Caller, stream_ids: readonly number[], among?: readonly number[]) {
  const { idsIn } = dialectOf(chat)
  let query = db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .select(['stream_id', 'user_id'])
    .where('stream_id', 'in', idsIn(stream_ids))
    .where('subscription.is_active', '=', 1)
    .where('user.is_active', '=', 1)
    .orderBy('stream_id')
    .orderBy('user_id')
  if (among) query = query.where('user.id', 'in', idsIn(among))
  return query.execute()
}
