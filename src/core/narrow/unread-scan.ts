import type { Caller } from '../context.ts'
import { unreadGaps } from '../read-state/unread-gaps.ts'
import { dialectOf } from '../store.ts'
import type { IndexScan } from './scan.ts'

/** Index scans that find all unread messages: one for each gap between the caller's read ranges of a conversation. */
export async function unreadScans(caller: Caller): Promise<IndexScan[]> {
  const gaps = await unreadGaps(caller)
  const moved = await withMoved(
    caller,
    gaps.map((gap) => gap.conversation_id),
  )
  return [
    { by: 'own_unread', lo: 0, hi: Number.MAX_SAFE_INTEGER },
    ...gaps.flatMap(({ conversation_id: value, lo, hi }): IndexScan[] => [
      { by: 'conversation_id', value, lo, hi },
      ...(moved.has(value) ? [{ by: 'origin_id', value, lo, hi } as const] : []),
    ]),
  ]
}

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
