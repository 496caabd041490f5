import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { type GapRow, unreadGaps } from '../read-state/unread-gaps.ts'
import type { IndexScan } from './scan.ts'

/** Index scans that find all unread messages: of the gaps between the caller's read ranges, and of their own. */
export async function unreadScans(caller: Caller): Promise<IndexScan[]> {
  const gaps = await unreadGaps(caller)
  const moved = await withMoved(
    caller,
    gaps.map((gap) => gap.conversation_id),
  )
  return [
    { by: 'own_unread', lo: 0, hi: Number.MAX_SAFE_INTEGER },
    ...gapScan('conversation_id', gaps),
    ...gapScan(
      'origin_id',
      gaps.filter((gap) => moved.has(gap.conversation_id)),
    ),
  ]
}

function gapScan(column: 'conversation_id' | 'origin_id', gaps: readonly GapRow[]): IndexScan[] {
  if (gaps.length === 0) return []
  const [lows, highs] = [gaps.map((gap) => gap.lo), gaps.map((gap) => gap.hi)]
  return [{ by: 'gaps', column, gaps, lo: smallest(lows), hi: -smallest(highs.map((hi) => -hi)) }]
}

/** There may be more than a call may have arguments. */
const smallest = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b))

/** Those of these conversations from which messages have been moved. */
async function withMoved({ db, chat }: Caller, conversation_ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('stream')
    .select('id')
    .where('id', 'in', dialectOf(chat).idsIn([...new Set(conversation_ids)]))
    .where((eb) =>
      eb.exists(eb.selectFrom('message').select('message.id').whereRef('message.origin_id', '=', 'stream.id')),
    )
    .execute()
  return new Set(rows.map((row) => row.id))
}
