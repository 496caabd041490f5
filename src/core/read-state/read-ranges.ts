import { messageRow } from '../access/message-visibility.ts'
import { loadPeriods } from '../events/log/audience.ts'
import type { Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { startsUnread } from './conditions.ts'
import { gapsBetween, intersection, mergeRanges, withIds, withoutIds } from './intervals.ts'
import { type Ranges, rangesAround, replaceRanges } from './read-range-store.ts'

/** A message from another user, and the conversation it was sent in, which has its read state. */
export interface ReadMark {
  id: number
  read_in: number
}

/** Marks these messages as read for the writer. Ranges with nothing unread between them are merged. */
export async function addRead(tx: Tx, marks: readonly ReadMark[]): Promise<void> {
  const requested = byConversation(marks)
  const before = await rangesAround(tx, requested)
  const parts: Ranges = new Map()
  for (const [conversation_id, ids] of requested)
    parts.set(conversation_id, withIds(before.get(conversation_id) ?? [], ids))
  const blocked = await gapsWithUnread(tx, parts)
  const after: Ranges = new Map()
  for (const [conversation_id, ranges] of parts) {
    after.set(
      conversation_id,
      mergeRanges(ranges, (i) => blocked.has(`${conversation_id} ${i}`)),
    )
  }
  await replaceRanges(tx, before, after)
}

/** Marks these messages as unread for the writer; ranges that contain them are split. */
export async function removeRead(tx: Tx, marks: readonly ReadMark[]): Promise<void> {
  const requested = byConversation(marks)
  const before = await rangesAround(tx, requested)
  const after: Ranges = new Map()
  for (const [conversation_id, ranges] of before) {
    after.set(conversation_id, withoutIds(ranges, requested.get(conversation_id)!))
  }
  await replaceRanges(tx, before, after)
}

/** Marks everything in these conversations as read for these users. */
export async function readAllOf(
  tx: Tx,
  user_ids: readonly number[],
  conversation_ids: readonly number[],
): Promise<void> {
  if (user_ids.length === 0 || conversation_ids.length === 0) return
  const { idsIn, rows } = dialectOf(tx.chat)
  const newest = await tx.db
    .selectFrom('message')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  const hi = newest?.id
  if (!hi) return
  await tx.db
    .deleteFrom('read_range')
    .where('user_id', 'in', idsIn(user_ids))
    .where('conversation_id', 'in', idsIn(conversation_ids))
    .execute()
  // From the beginning, because messages that were never received count as read anyway.
  const ranges = user_ids.flatMap((user) => conversation_ids.map((conversation) => [user, conversation, 1, hi]))
  await tx.db
    .insertInto('read_range')
    .columns(['user_id', 'conversation_id', 'lo', 'hi'])
    .expression((eb) =>
      eb
        .selectFrom(rows(['user_id', 'conversation_id', 'lo', 'hi'], ranges).as('range'))
        .select(['range.user_id', 'range.conversation_id', 'range.lo', 'range.hi']),
    )
    .execute()
}

/** Unique IDs by conversation, in ascending order. */
function byConversation(marks: readonly ReadMark[]): Map<number, number[]> {
  const lists = new Map<number, number[]>()
  for (const { id, read_in } of marks) {
    const list = lists.get(read_in)
    if (list) list.push(id)
    else lists.set(read_in, [id])
  }
  for (const [conversation_id, ids] of lists)
    lists.set(
      conversation_id,
      [...new Set(ids)].sort((a, b) => a - b),
    )
  return lists
}

/** Gaps between ranges with a message from somebody else that the writer received as unread, as "conversation index". */
async function gapsWithUnread(tx: Tx, parts: Ranges): Promise<ReadonlySet<string>> {
  const { idsIn, rows } = dialectOf(tx.chat)
  const periods = await loadPeriods(tx.db, tx.user.id, idsIn([...parts.keys()]))
  const gaps: number[][] = []
  for (const [conversation_id, ranges] of parts) {
    const received = periods
      .get(conversation_id)
      ?.map((period) => ({ lo: period.from_message, hi: period.to_message - 1 }))
    for (const gap of gapsBetween(ranges)) {
      for (const { lo, hi } of received ? intersection([gap], received) : [gap])
        gaps.push([conversation_id, gap.after, lo, hi])
    }
  }
  if (gaps.length === 0) return new Set()
  const found = await tx.db
    .selectFrom(rows(['conversation_id', 'place', 'lo', 'hi'], gaps).as('gap'))
    .select(['gap.conversation_id', 'gap.place'])
    .where((eb) => {
      const inside = eb
        .selectFrom('message')
        .select('message.id')
        .whereRef('message.id', '>=', 'gap.lo')
        .whereRef('message.id', '<=', 'gap.hi')
        .where('message.sender_id', '!=', tx.user.id)
        .where(startsUnread(messageRow, tx.user.id))
      return eb.or([
        eb.exists(
          inside.whereRef('message.conversation_id', '=', 'gap.conversation_id').where('message.origin_id', 'is', null),
        ),
        eb.exists(inside.whereRef('message.origin_id', '=', 'gap.conversation_id')),
      ])
    })
    .execute()
  return new Set(found.map((gap) => `${gap.conversation_id} ${gap.place}`))
}
