import type { Caller } from '../caller.ts'
import { loadPeriods, periodsKey } from '../events/audience.ts'
import { common, complement, type Range } from '../messages/ranges.ts'
import type { Arm } from './arms.ts'

/** Ways to everything the caller has not read: one for each gap between what they have read of a conversation. */
export async function unreadArms(caller: Caller): Promise<Arm[]> {
  const { db, user, chat } = caller
  const periods = await caller.memo(periodsKey(user.id), (db) => loadPeriods(db, user.id))
  const direct = await db
    .selectFrom('direct_participant')
    .select('conversation_id')
    .where('user_id', '=', user.id)
    .execute()
  const read = await readRanges(caller)
  const arms: Arm[] = [{ by: 'own_unread', lo: 0, hi: Number.MAX_SAFE_INTEGER }]
  for (const { conversation_id } of direct) {
    const gaps = complement(read.get(conversation_id) ?? [])
    for (const gap of gaps) arms.push({ by: 'conversation_id', value: conversation_id, ...gap })
  }
  const moved = await movedFrom(caller, [...periods.keys()])
  for (const [stream_id, stays] of periods) {
    const received = stays.map((stay) => ({ lo: stay.from_message, hi: stay.to_message - 1 }))
    for (const { lo, hi } of common(complement(read.get(stream_id) ?? []), received)) {
      const gap = { value: stream_id, lo, hi: Math.min(hi, Number.MAX_SAFE_INTEGER) }
      arms.push({ by: 'conversation_id', ...gap })
      if (moved.has(stream_id)) arms.push({ by: 'origin_id', ...gap })
    }
  }
  return arms
  async function movedFrom(caller: Caller, stream_ids: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await caller.db
      .selectFrom('stream')
      .select('id')
      .where('id', 'in', chat.store.dialect.idsIn(stream_ids))
      .where((eb) =>
        eb.exists(eb.selectFrom('message').select('message.id').whereRef('message.origin_id', '=', 'stream.id')),
      )
      .execute()
    return new Set(rows.map((row) => row.id))
  }
}

async function readRanges({ db, user }: Caller): Promise<Map<number, Range[]>> {
  const rows = await db
    .selectFrom('read_range')
    .select(['conversation_id', 'lo', 'hi'])
    .where('user_id', '=', user.id)
    .orderBy('conversation_id')
    .orderBy('lo')
    .execute()
  const ranges = new Map<number, Range[]>()
  for (const { conversation_id, lo, hi } of rows) {
    const list = ranges.get(conversation_id)
    if (list) list.push({ lo, hi })
    else ranges.set(conversation_id, [{ lo, hi }])
  }
  return ranges
}
