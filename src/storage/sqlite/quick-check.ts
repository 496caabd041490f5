import type Database from 'better-sqlite3'
import { sql } from 'kysely'
import { damaged } from './file/failures.ts'
import type { Health } from './health.ts'
import type { Snapshots } from './snapshots.ts'
import type { PlaceWatch } from './watch-place.ts'
import type { Writer } from './writer.ts'

/**
 * Files up to this size are checked before they are used, which takes a tenth of a second. If nothing has written to one
 * since it was closed, it is checked after the start, table by table, because nobody has to wait for it then.
 */
const MAX_BYTES_BEFORE = 32 * 1024 * 1024
/**
 * Larger files up to this size are checked after the start, for some seconds in a thread. Beyond it, only `doctor`
 * checks.
 */
const MAX_BYTES_AFTER = 1024 * 1024 * 1024
/** Skips the check for commands that open the file only briefly. */
const DELAY_MS = 2000

// Leaves out the virtual table of the search index, because reading its words takes longer than everything else. Its
// pages are in ordinary tables.
const TABLES = "select name from sqlite_master where type = 'table' and sql not like 'create virtual%'"
/** One table at a time, because a thread can't be stopped in the middle of a statement. */
const checkOf = (table: string) =>
  sql<{ quick_check: string }>`select quick_check from pragma_quick_check(${table}) where quick_check <> 'ok' limit 1`

const sizeOf = (database: Database.Database): number =>
  Number(database.pragma('page_count', { simple: true })) * Number(database.pragma('page_size', { simple: true }))

/**
 * What is wrong with the first damaged table. It is a single statement, because the driver frees a statement only when
 * its object is collected. A statement for each table would keep 650 KiB.
 */
const CHECK_ALL = `select quick_check from (${TABLES}), pragma_quick_check(name) where quick_check <> 'ok' limit 1`

/** Throws StorageError `broken` for a small file with damaged pages. */
export function checkBefore(database: Database.Database): void {
  if (database.memory || sizeOf(database) > MAX_BYTES_BEFORE) return
  const found = database.prepare(CHECK_ALL).pluck().get() as string | undefined
  if (found !== undefined) throw damaged(database.name, new Error(oneLine(found)))
  // The check leaves the entire file in the page cache.
  database.pragma('shrink_memory')
}

interface Checking {
  snapshots: Snapshots
  writer: Pick<Writer, 'readBetween'>
  health: Health
  /** Missing for a database in memory. */
  place: Pick<PlaceWatch, 'look'> | undefined
  isUnchanged: boolean
}

/**
 * Checks a file that wasn't checked before, and stops using it if it is damaged. Returns a function that cancels the
 * check.
 */
export function checkAfter(
  database: Database.Database,
  { snapshots, writer, health, place, isUnchanged }: Checking,
): () => void {
  let over = false
  const size = database.memory ? 0 : sizeOf(database)
  const isSmall = size <= MAX_BYTES_BEFORE
  if (isSmall ? !isUnchanged : size > MAX_BYTES_AFTER) return () => {}
  const timer = setTimeout(() => void run().catch(() => {}), DELAY_MS)
  timer.unref()
  return () => {
    over = true
    clearTimeout(timer)
  }

  async function run(): Promise<void> {
    // Starting a thread for a small file would cost more than the check.
    const read: Snapshots['run'] = isSmall ? writer.readBetween : snapshots.run
    for (const table of database.prepare(TABLES).pluck().all() as string[]) {
      if (over) return
      const { rows } = await read((db) => checkOf(table).execute(db))
      if (!rows[0]) continue
      // A truncated file is damaged, too, but saying that it was cut helps more.
      place?.look()
      throw health.fail(damaged(database.name, new Error(oneLine(rows[0].quick_check))))
    }
    // The check leaves the entire file in the page cache.
    if (isSmall && !over) database.pragma('shrink_memory')
  }
}

const oneLine = (text: string): string => text.replace(/^\*\*\* .* \*\*\*\n/, '').split('\n', 1)[0]!
