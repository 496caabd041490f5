import type { Dialect, TxDb } from '../../../storage/index.ts'

/**
 * Ids passed over after a restore. What was written after the backup is lost, and clients have seen its ids: they keep
 * messages, pictures and positions of the log by them, and so do programs that embed the server. So none of those ids may be given out
 * again. Nobody knows how many there were; these are far more than a server gives out between two backups (a million messages in a day are
 * 12 a second all day long, and one message takes several event ids), and so few that thousands of restores fit into 32 bits.
 */
const GAPS: Readonly<Record<string, number>> = { message: 1_000_000, event: 10_000_000 }
/** Users, streams, pictures and all else that has a number. */
const OTHER_GAP = 10_000

export interface NextIds {
  message: number
  event: number
}

/**
 * Has all ids go on far behind those of this database, and of the one that it replaces as far as that can be read.
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
  // Event ids are drawn by the program, which begins after those that are reserved.
  await db.updateTable('event_log_state').set({ reserved_up_to: event }).execute()
  return { message, event }
}

/** Ends all queues: what their readers have seen is not in this database. They register again. */
const endAllQueues = async (db: TxDb): Promise<void> => void (await db.deleteFrom('queue').execute())

/** After a rollback: readers have seen more than what is in this database. */
export async function leaveGap(db: TxDb, dialect: Dialect, replaced: ReadonlyMap<string, number>): Promise<NextIds> {
  await endAllQueues(db)
  return leaveGaps(db, dialect, replaced)
}
