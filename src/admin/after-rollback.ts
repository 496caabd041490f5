import { leaveGap, type NextIds } from '../core/events/log/leave-gaps.ts'
import { openStore } from '../storage/index.ts'
import { requireUnused } from './copy.ts'

/**
 * Ends all queues and leaves a gap in the ids of a database that no process uses. It is for a machine that was set
 * back to an earlier time: clients have seen ids that it would otherwise assign again.
 *
 * @returns the ids after which the next message and event come
 * @throws StorageError with a sentence for the user of the command line
 */
export async function settleRollback(db: string): Promise<NextIds> {
  // This also settles a rollback that the start itself has noticed.
  const store = await openStore({ file: db, onRollback: async () => {} })
  try {
    await requireUnused(store, db)
    return await store.write((tx) => leaveGap(tx.db, store.dialect, new Map()))
  } finally {
    await store.close()
  }
}
