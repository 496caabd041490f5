import type { Tx } from '../context.ts'
import { only } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { groupBy } from '../lists.ts'
import { dialectOf } from '../store.ts'
import { bits } from './flag-bits.ts'
import { flagsEvent } from './mark-read.ts'

/**
 * Messages are about to be deleted. Whoever starred one and is in its stream no longer will not hear of that, nor where
 * it was; they are only told that their star is gone.
 */
export async function emitStarsRemoved(tx: Tx, conversation_id: number, message_ids: readonly number[]): Promise<void> {
  const rows = await tx.db
    .selectFrom('message_flag')
    .select(['user_id', 'message_id', 'flags'])
    .where('message_id', 'in', dialectOf(tx.chat).idsIn(message_ids))
    .where('user_id', 'not in', (eb) =>
      eb
        .selectFrom('subscription')
        .select('user_id')
        .where('stream_id', '=', conversation_id)
        .where('is_active', '=', 1),
    )
    .orderBy('message_id')
    .execute()
  const starred = groupBy(
    rows.filter(({ flags }) => flags & bits.starred),
    (row) => row.user_id,
    (row) => row.message_id,
  )
  for (const [user_id, ids] of starred) await emit(tx, flagsEvent('remove', 'starred', ids, false), only(user_id))
}
