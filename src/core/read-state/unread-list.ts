import { isUnset } from '../../storage/index.ts'
import { messageRow } from '../access/message-visibility.ts'
import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { Range } from './intervals.ts'
import { type Gap, gapsWithin, gapTable, movedFrom, presentGaps, sentThere, unreadGaps } from './unread-gaps.ts'

export interface UnreadMessage {
  id: number
  sender_id: number
  conversation_id: number
  topic_id: number | null
  origin_id: number | null
  stream_wildcard: number
}

const columns = [
  'message.id',
  'message.sender_id',
  'message.conversation_id',
  'message.topic_id',
  'message.origin_id',
  'message.stream_wildcard',
] as const

/** The first query goes back this many ids; each further one four times as far. */
const FIRST_LOOK = 65_536

/** The caller's newest unread messages, newest first. Messages further back than needed are not read. */
export async function newestUnread(caller: Caller, limit: number): Promise<UnreadMessage[]> {
  const newest = await caller.db
    .selectFrom('message')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  const gaps = await unreadGaps(caller)
  const found: UnreadMessage[] = []
  let hi = newest?.id ?? 0
  for (let width = FIRST_LOOK; hi > 0 && found.length < limit; width *= 4) {
    const range = { lo: Math.max(1, hi - width + 1), hi }
    const rows = await unreadWithin(caller, gaps, range)
    for (const row of rows.sort((a, b) => b.id - a.id)) found.push(row)
    hi = range.lo - 1
  }
  return found.slice(0, limit)
}

/** Which unread messages to list. */
export interface UnreadFilter {
  conversation_ids: readonly number[]
  /** Only this topic; all by default. */
  topic_id?: number
  /** Only from this sender; all by default. */
  sender_id?: number
  /** At most this many, in no particular order; all by default. */
  limit?: number
}

/** Returns the caller's unread messages by their current conversations, oldest first. */
export async function unreadOf(caller: Caller, filter: UnreadFilter): Promise<UnreadMessage[]> {
  const { conversation_ids, limit = Number.MAX_SAFE_INTEGER } = filter
  // Messages moved there are stored under the conversation they were sent in.
  const origins = await originsOfMoved(caller)
  const gaps = await unreadGaps(caller, [...new Set([...conversation_ids, ...origins])])
  const rows = await unreadWithin(caller, gaps, everything, filter)
  return rows.sort((a, b) => a.id - b.id).slice(0, limit)
}

/** Streams from which messages have been moved elsewhere: one index step for each. */
async function originsOfMoved({ db }: Caller): Promise<number[]> {
  const rows = await db
    .withRecursive('origin(id)', (r) =>
      r
        .selectFrom('message')
        .select((eb) => eb.fn.min('origin_id').as('id'))
        .where('origin_id', 'is not', null)
        .unionAll((u) =>
          u
            .selectFrom('origin')
            .select((eb) =>
              eb
                .selectFrom('message')
                .select((m) => m.fn.min('message.origin_id').as('id'))
                .where('message.origin_id', 'is not', null)
                .whereRef('message.origin_id', '>', 'origin.id')
                .as('id'),
            )
            .where('origin.id', 'is not', null),
        ),
    )
    .selectFrom('origin')
    .select('id')
    .execute()
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

const everything: Range = { lo: 1, hi: Number.MAX_SAFE_INTEGER }

async function unreadWithin(
  caller: Caller,
  all: readonly Gap[],
  range: Range,
  filter?: UnreadFilter,
): Promise<UnreadMessage[]> {
  const { db, user, chat } = caller
  const { idsIn } = dialectOf(chat)
  const gaps = gapsWithin(all, range)
  const places = filter && new Set(filter.conversation_ids)
  const here = presentGaps(gaps).filter((gap) => !places || places.has(gap.conversation_id))
  const row = messageRow
  const inTopic = row.and([
    ...(filter?.topic_id === undefined ? [] : [row('message.topic_id', '=', filter.topic_id)]),
    ...(filter?.sender_id === undefined ? [] : [row('message.sender_id', '=', filter.sender_id)]),
  ])
  const inPlace = filter
    ? row.and([row('message.conversation_id', 'in', idsIn(filter.conversation_ids)), inTopic])
    : row.lit(true)
  const limit = filter?.limit ?? Number.MAX_SAFE_INTEGER
  const there = await db
    .selectFrom(gapTable(caller, here))
    .crossJoin('message')
    .select(columns)
    .where((eb) => eb.and([sentThere(eb, user.id), inTopic]))
    .limit(limit)
    .execute()
  const moved = await db
    .selectFrom(gapTable(caller, gaps))
    .crossJoin('message')
    .select(columns)
    .where((eb) => eb.and([movedFrom(eb, user.id), inPlace]))
    .limit(limit)
    .execute()
  const own = await db
    .selectFrom('message')
    .select(columns)
    .where('sender_id', '=', user.id)
    .where('read_by_sender', '=', isUnset)
    .where('id', '>=', range.lo)
    .where('id', '<=', range.hi)
    .where(inPlace)
    .limit(limit)
    .execute()
  return [...there, ...moved, ...own]
}
