import { sql } from 'kysely'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { KEPT_UNREAD } from '../../read-state/flag-bits.ts'

const SLICE = 500

/** Merges the flags of some messages: what either account has set is set. Returns whether there may be more. */
export async function mergeFlags(tx: Tx, from: number, into: number): Promise<boolean> {
  const rows = await tx.db
    .selectFrom('message_flag')
    .select(['message_id', 'flags'])
    .where('user_id', '=', from)
    .orderBy('message_id')
    .limit(SLICE)
    .execute()
  if (rows.length === 0) return false
  // A message that one of the two has read is read.
  const kept = rows.flatMap(({ message_id, flags }) => {
    const visible = flags & ~KEPT_UNREAD
    return visible === 0 ? [] : [{ user_id: into, message_id, flags: visible }]
  })
  if (kept.length > 0)
    await tx.db
      .insertInto('message_flag')
      .values(kept)
      .onConflict((oc) =>
        oc.columns(['user_id', 'message_id']).doUpdateSet({ flags: sql<number>`message_flag.flags | excluded.flags` }),
      )
      .execute()
  const ids = rows.map((row) => row.message_id)
  await tx.db
    .deleteFrom('message_flag')
    .where('user_id', '=', from)
    .where('message_id', 'in', dialectOf(tx.chat).idsIn(ids))
    .execute()
  return true
}
