import { isUnset } from '../../storage/index.ts'
import type { Caller } from '../context.ts'
import type { Range } from './intervals.ts'
import { type Gap, gapTable, movedFrom, present, sentThere, unreadGaps, within } from './unread-gaps.ts'

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

/** The first look goes back this many ids; each further one four times as far. */
const FIRST_LOOK = 65_536

/** The caller's newest unread messages, newest first. What lies further back than is needed is not looked at. */
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

/** All the caller has unread in a conversation as it is now, or in one topic of it; oldest first. */
export async function unreadOf(caller: Caller, conversation_id: number, topic_id?: number): Promise<UnreadMessage[]> {
  const rows = await unreadWithin(caller, await unreadGaps(caller), everything, conversation_id)
  return rows
    .filter((row) => row.conversation_id === conversation_id && (topic_id === undefined || row.topic_id === topic_id))
    .sort((a, b) => a.id - b.id)
}

const everything: Range = { lo: 1, hi: Number.MAX_SAFE_INTEGER }

/** Of one conversation's, if it is given, at least all; of others perhaps some. */
async function unreadWithin(
  caller: Caller,
  all: readonly Gap[],
  range: Range,
  conversation_id?: number,
): Promise<UnreadMessage[]> {
  const { db, user } = caller
  const gaps = within(all, range)
  const here = present(gaps).filter((gap) => conversation_id === undefined || gap.conversation_id === conversation_id)
  const there = await db
    .selectFrom(gapTable(caller, here))
    .crossJoin('message')
    .select(columns)
    .where((eb) => sentThere(eb, user.id))
    .execute()
  const moved = await db
    .selectFrom(gapTable(caller, gaps))
    .crossJoin('message')
    .select(columns)
    .where((eb) => movedFrom(eb, user.id))
    .execute()
  const own = await db
    .selectFrom('message')
    .select(columns)
    .where('sender_id', '=', user.id)
    .where('read_by_sender', '=', isUnset)
    .where('id', '>=', range.lo)
    .where('id', '<=', range.hi)
    .execute()
  return [...there, ...moved, ...own]
}
