import type Database from 'better-sqlite3'
import { StorageError } from '../errors.ts'

/** 16 MiB of log between checkpoints. The commit that triggers one waits for its syncs. */
export const CHECKPOINT_PAGES = 4000
/** 1 MiB for relaxed commits, which wait for no sync themselves. */
export const RELAXED_CHECKPOINT_PAGES = 256

/**
 * Reads back the settings that durability depends on, after a write because the driver changes `synchronous` at the
 * first one.
 */
export function assertDurable(database: Database.Database, inMemory: boolean): void {
  // The number isn't used. Writing it is an ordinary commit, even if there was nothing to migrate.
  database.pragma(`user_version = ${Number(database.pragma('user_version', { simple: true }))}`)
  const wanted = inMemory
    ? { synchronous: 2, foreign_keys: 1, journal_mode: 'memory' }
    : { synchronous: 2, foreign_keys: 1, journal_mode: 'wal', locking_mode: 'normal' }
  for (const [name, value] of Object.entries(wanted)) {
    const actual = database.pragma(name, { simple: true })
    if (actual !== value)
      throw new StorageError('unsupported', `SQLite rejected ${name}=${value}: it is still ${actual}`)
  }
}

/**
 * SQLite before 3.51.3 can corrupt a WAL database (the WAL-reset bug).
 */
const OLDEST_SQLITE = [3, 51, 3] as const

export function checkSqliteVersion(version: string): void {
  const parts = version.split('.').map(Number)
  for (const [i, least] of OLDEST_SQLITE.entries()) {
    const part = parts[i] ?? 0
    if (part > least) return
    // Also rejects values that aren't numbers.
    if (!(part >= least)) {
      throw new StorageError(
        'unsupported',
        `SQLite ${version} has a bug that can corrupt databases. Use version ${OLDEST_SQLITE.join('.')} or newer.`,
      )
    }
  }
}
