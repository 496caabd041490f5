import type { ExpressionBuilder } from 'kysely'
import type { Soon, Tables } from '../../storage/index.ts'
import { messageRow } from '../access/message-visibility.ts'
import { loadPeriods, type Periods, periodsOfUser } from '../events/log/audience.ts'
import { groupBy } from '../kernel/base/lists.ts'
import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { isSubscribed, startsUnread } from './conditions.ts'
import { complement, intersection, type Range } from './intervals.ts'

/**
 * A range of ids in a conversation that a user received and has not read. Other users' messages in it are unread,
 * except those that started as read.
 */
export interface Gap extends Range {
  conversation_id: number
  /** Whether the user is still in it. If not, only moved messages can be unread. */
  present: boolean
}

/**
 * Returns where the caller may have unread messages: what they received minus their read ranges. It takes a few rows
 * per conversation, so every query for unread messages starts here and never scans read messages.
 *
 * @param only - only these conversations; all by default
 */
export async function unreadGaps(caller: Caller, only?: readonly number[]): Promise<Gap[]> {
  const ranges = await readRanges(caller, only)
  const unreadIn = (conversation_id: number) => complement(ranges.get(conversation_id) ?? [])
  const presentIn = new Set(await subscribedTo(caller, only))
  const inStreams = [...(await periodsIn(caller, only))].flatMap(([conversation_id, periods]) => {
    const received = periods.map((period) => ({ lo: period.from_message, hi: period.to_message - 1 }))
    const present = presentIn.has(conversation_id)
    // Written out because spreading two objects takes six times the memory, and there is one per stream.
    return intersection(ascending(received), unreadIn(conversation_id)).map(({ lo, hi }) => ({
      conversation_id,
      present,
      lo,
      hi,
    }))
  })
  const inDirect = (await directOf(caller, only)).flatMap((conversation_id) =>
    unreadIn(conversation_id).map(({ lo, hi }) => ({ conversation_id, present: true, lo, hi })),
  )
  return [...inStreams, ...inDirect]
}

function periodsIn(caller: Caller, only?: readonly number[]): Soon<Periods> {
  const { user, chat } = caller
  // A query for a few conversations should not load the ranges of thousands.
  if (only) return loadPeriods(caller.db, user.id, dialectOf(chat).idsIn(only))
  return periodsOfUser.get(caller, user.id)
}

async function subscribedTo({ db, user, chat }: Caller, only?: readonly number[]): Promise<number[]> {
  let query = db
    .selectFrom('subscription')
    .select('stream_id')
    .where('user_id', '=', user.id)
    .where('is_active', '=', 1)
  if (only) query = query.where('stream_id', 'in', dialectOf(chat).idsIn(only))
  return (await query.execute()).map((row) => row.stream_id)
}

async function directOf({ db, user, chat }: Caller, only?: readonly number[]): Promise<number[]> {
  let query = db.selectFrom('direct_participant').select('conversation_id').where('user_id', '=', user.id)
  if (only) query = query.where('conversation_id', 'in', dialectOf(chat).idsIn(only))
  return (await query.execute()).map((row) => row.conversation_id)
}

/** A user's read ranges, by conversation. */
export async function readRanges({ db, user, chat }: Caller, only?: readonly number[]): Promise<Map<number, Range[]>> {
  let query = db.selectFrom('read_range').select(['conversation_id', 'lo', 'hi']).where('user_id', '=', user.id)
  if (only) query = query.where('conversation_id', 'in', dialectOf(chat).idsIn(only))
  return groupBy(
    await query.orderBy('conversation_id').orderBy('lo').execute(),
    (row) => row.conversation_id,
    ({ lo, hi }) => ({ lo, hi }),
  )
}

const ascending = (ranges: Range[]): Range[] => ranges.sort((a, b) => a.lo - b.lo)

/** The part of the gaps that lies within a range. */
export const gapsWithin = (gaps: readonly Gap[], range: Range): Gap[] =>
  gaps
    .filter((gap) => gap.lo <= range.hi && gap.hi >= range.lo)
    .map((gap) => ({ ...gap, lo: Math.max(gap.lo, range.lo), hi: Math.min(gap.hi, range.hi) }))

/** Gaps in which messages sent there may still be. */
export const presentGaps = (gaps: readonly Gap[]): Gap[] => gaps.filter((gap) => gap.present)

/** The gaps as a table for a query. */
export const gapTable = ({ chat }: Pick<Caller, 'chat'>, gaps: readonly GapRow[]) =>
  dialectOf(chat)
    .rows(
      ['conversation_id', 'lo', 'hi'],
      gaps.map((gap) => [gap.conversation_id, gap.lo, gap.hi]),
    )
    .as('gap')

export type GapRow = Pick<Gap, 'conversation_id' | 'lo' | 'hi'>
export type InGap = ExpressionBuilder<Tables & { gap: GapRow }, 'message' | 'gap'>

/** Condition: somebody else's message, sent in the gap's conversation and still there. */
export const sentThere = (eb: InGap, user_id: number) =>
  eb.and([
    eb('message.conversation_id', '=', eb.ref('gap.conversation_id')),
    eb('message.id', '>=', eb.ref('gap.lo')),
    eb('message.id', '<=', eb.ref('gap.hi')),
    eb('message.sender_id', '!=', user_id),
    eb('message.origin_id', 'is', null),
    startsUnread(messageRow, user_id),
  ])

/** Condition: somebody else's message, sent in the gap's conversation and since moved to where the user is too. */
export const movedFrom = (eb: InGap, user_id: number) =>
  eb.and([
    eb('message.origin_id', '=', eb.ref('gap.conversation_id')),
    eb('message.id', '>=', eb.ref('gap.lo')),
    eb('message.id', '<=', eb.ref('gap.hi')),
    eb('message.sender_id', '!=', user_id),
    isSubscribed(messageRow, user_id),
    startsUnread(messageRow, user_id),
  ])
