import type { Tx } from '../../kernel/context.ts'
import type { Range } from '../../read-state/intervals.ts'

/** Merges the read state of a conversation: what either account has read is read. */
export async function mergeReadState(tx: Tx, from: number, into: number, conversation_id: number): Promise<void> {
  const both = await rangesOf(tx, [from, into], conversation_id)
  if (!both.some(({ user_id }) => user_id === from)) return
  await setRanges(tx, [from, into], conversation_id, into, union(both))
}

const rangesOf = ({ db }: Tx, user_ids: readonly number[], conversation_id: number) =>
  db
    .selectFrom('read_range')
    .select(['user_id', 'lo', 'hi'])
    .where('user_id', 'in', [...user_ids])
    .where('conversation_id', '=', conversation_id)
    .execute()

/** Ranges in order, merged where they meet. */
export function union(ranges: readonly Range[]): Range[] {
  const result: Range[] = []
  for (const { lo, hi } of [...ranges].sort((a, b) => a.lo - b.lo)) {
    const last = result.at(-1)
    if (last && lo <= last.hi + 1) last.hi = Math.max(last.hi, hi)
    else result.push({ lo, hi })
  }
  return result
}

async function setRanges(
  { db }: Tx,
  owners: readonly number[],
  conversation_id: number,
  user_id: number,
  ranges: readonly Range[],
): Promise<void> {
  await db
    .deleteFrom('read_range')
    .where('user_id', 'in', [...owners])
    .where('conversation_id', '=', conversation_id)
    .execute()
  for (const { lo, hi } of ranges)
    await db.insertInto('read_range').values({ user_id, conversation_id, lo, hi }).execute()
}

/**
 * Merges the read state that a person has in two conversations which become one. Ranges of one conversation say nothing about
 * the messages of the other, so the result is made of the messages. The former conversation keeps its ranges, so that this can be repeated.
 */
export async function joinReadState(
  tx: Tx,
  owners: readonly number[],
  user_id: number,
  gone: number,
  kept: number,
): Promise<void> {
  const [there, here] = [union(await rangesOf(tx, owners, gone)), union(await rangesOf(tx, owners, kept))]
  const messages = await tx.db
    .selectFrom('message')
    .select(['id', 'conversation_id'])
    .where('conversation_id', 'in', [gone, kept])
    .orderBy('id')
    .execute()
  const ranges: Range[] = []
  let isOpen = false
  for (const { id, conversation_id } of messages) {
    const isRead = contains(conversation_id === gone ? there : here, id)
    if (isRead && isOpen) ranges.at(-1)!.hi = id
    else if (isRead) ranges.push({ lo: id, hi: id })
    isOpen = isRead
  }
  await setRanges(tx, owners, kept, user_id, ranges)
}

function contains(ranges: readonly Range[], id: number): boolean {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const { lo, hi } = ranges[middle]!
    if (id < lo) high = middle - 1
    else if (id > hi) low = middle + 1
    else return true
  }
  return false
}
