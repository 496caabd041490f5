import type { Dialect, TxDb } from '../../../storage/index.ts'

/**
 * Ids to skip after a restore. Changes made after the backup are lost, and clients remember their ids: of messages,
 * images and positions of the log. None of these ids may be assigned again, and no one knows how many there were.
 * These gaps are far more than a server assigns between two backups. A million messages a day are 12 a second, and one
 * message takes several event ids. They are also small enough for thousands of restores within 32 bits.
 */
const GAPS: Readonly<Record<string, number>> = { message: 1_000_000, event: 10_000_000 }
/** Users, streams, images and everything else with a number. */
const OTHER_GAP = 10_000

export interface NextIds {
  message: number
  event: number
}

/**
 * Makes all new ids skip far beyond this database's, and beyond the ones of the database it replaces, if readable.
 *
 * @returns the ids after which the next message and event come
 */
async function leaveGaps(db: TxDb, dialect: Dialect, replaced: ReadonlyMap<string, number>): Promise<NextIds> {
  const own = await dialect.newestIds(db)
  const newest = new Map([...own].map(([table, id]) => [table, Math.max(id, replaced.get(table) ?? 0)]))
  const { reserved_up_to } = await db.selectFrom('event_log_state').selectAll().executeTakeFirstOrThrow()
  newest.set('event', Math.max(newest.get('event') ?? 0, reserved_up_to))
  newest.set('message', newest.get('message') ?? 0)
  const next = new Map([...newest].map(([table, id]) => [table, id + (GAPS[table] ?? OTHER_GAP)]))
  for (const [table, id] of next) await dialect.numberAbove(db, table, id)
  const [message, event] = [next.get('message')!, next.get('event')!]
  // The program assigns event ids itself, starting after the reserved ones.
  await db.updateTable('event_log_state').set({ reserved_up_to: event }).execute()
  return { message, event }
}

/** Ends all queues. This database lacks what their readers have seen, so they register again. */
const endAllQueues = async (db: TxDb): Promise<void> => void (await db.deleteFrom('queue').execute())

/** Call it after a rollback: readers have seen more than this database has. */
export async function leaveGap(db: TxDb, dialect: Dialect, replaced: ReadonlyMap<string, number>): Promise<NextIds> {
  await endAllQueues(db)
  return leaveGaps(db, dialect, replaced)
}
