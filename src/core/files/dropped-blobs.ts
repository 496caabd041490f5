import { type Db, shortenBlob } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import { DROPPED_BLOB_SECONDS } from '../kernel/base/limits.ts'
import type { Context, SystemTx } from '../kernel/context.ts'

/** Pieces removed in one write, which keeps it short. */
const PIECES = 8
const MAX_AT_ONCE = 1000

/** Marks bytes without references. The sweep removes them later, or immediately if no download can be in progress. */
export async function dropBlob(tx: SystemTx, blob_id: number, readers: 'unread' | 'read'): Promise<void> {
  const dropped_at = readers === 'unread' ? 0 : seconds(tx.chat.clock)
  await tx.db.insertInto('dropped_blob').values({ blob_id, dropped_at }).execute()
}

/** Returns the size and age of bytes that are in use. They can be read for some time after they are dropped. */
export const liveBlob = (db: Db, blob_id: number): Promise<{ size: number; created_at: number } | undefined> =>
  db
    .selectFrom('blob')
    .select(['size', 'created_at'])
    .where('id', '=', blob_id)
    .where('id', 'not in', (eb) => eb.selectFrom('dropped_blob').select('blob_id'))
    .executeTakeFirst()

/** Removes dropped blobs, a few pieces at a time. */
export async function removeDroppedBlobs(context: Context): Promise<void> {
  const rows = await context.db
    .selectFrom('dropped_blob')
    .select('blob_id')
    .where('dropped_at', '<=', seconds(context.chat.clock) - DROPPED_BLOB_SECONDS)
    .limit(MAX_AT_ONCE)
    .execute()
  for (const { blob_id } of rows) {
    const remove = async ({ db }: SystemTx) => {
      const gone = await shortenBlob(db, blob_id, PIECES)
      if (gone) await db.deleteFrom('dropped_blob').where('blob_id', '=', blob_id).execute()
      return gone
    }
    while (!(await context.write(remove)));
  }
}
