import { sql } from 'kysely'
import type { Db } from '../handle.ts'
import { timers } from '../timers.ts'
import { WRITE_LOCK } from './begin.ts'

/**
 * A process that leaves its transaction without a statement for this long was stopped, or its machine hangs: in a
 * write, nothing but the database is awaited.
 */
const STALL_MS = 1500
/** How often a process that waits for the lock looks at the process that holds it. */
const LOOK_MS = 200

/**
 * Ends the connection of a stalled process that holds the lock of all writes, so that others don't wait for it. It
 * can't commit when it resumes. A process that nobody waits for may take its time. If a statement fails inside a
 * savepoint, the transaction keeps the lock.
 */
const endStalled = (db: Db) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where state in ('idle in transaction', 'idle in transaction (aborted)')
      and state_change < clock_timestamp() - ${STALL_MS}::int * interval '1 millisecond'
      and pid in (
        select pid from pg_locks
        where locktype = 'advisory' and classid = 0 and objid = ${WRITE_LOCK}::int and granted
          and database = (select oid from pg_database where datname = current_database()))`.execute(db)

/** Waits for the lock, and ends a stalled process that holds it. */
export async function pastStalledHolder<T>(db: Db, waiting: Promise<T>): Promise<T> {
  let looking = false
  const timer = timers.setInterval(() => {
    if (looking) return
    looking = true
    // A failure shows in the waiting statement, or the next look succeeds.
    endStalled(db)
      .catch(() => {})
      .finally(() => {
        looking = false
      })
  }, LOOK_MS)
  timer.unref()
  try {
    return await waiting
  } finally {
    timers.clearInterval(timer)
  }
}
