import type { Dialect } from './dialect.ts'
import type { StorageError } from './errors.ts'
import type { TxDb } from './handle.ts'
import type { Migration } from './migration.ts'

/** The name of a database that nobody else sees and that ends with the process. */
export const IN_MEMORY = ':memory:'

export interface OpenOptions {
  /** A file, ':memory:', or the address of a PostgreSQL database: `postgres://user:password@host/name`. */
  file: string
  /** Seconds since 1970. */
  now?: () => number
  /** Called when the disk has failed; no more writes will be accepted. */
  onBroken?: (error: StorageError) => void
  /** Called with a sentence for the operator, where nothing is broken. */
  warn?: (text: string) => void
  /**
   * Called in a write when the file may be older than what clients have seen: another copy was put in its place, or its
   * log was lost. It must leave a gap in the ids after `newest`, those that are known to have been given out. Without
   * it the next one who opens the file is called.
   */
  onRollback?: (db: TxDb, dialect: Dialect, newest: ReadonlyMap<string, number>) => Promise<unknown>
  /** Called when a write awaited something other than the database: a bug that delays all other writes. */
  onForeignAwait?: () => void
  /**
   * How long writes are collected into one commit, in milliseconds: the event loop is blocked for that time and one
   * write.
   */
  groupMs?: number
  /** The table of mounted file systems, as Linux has it; tests bring theirs. */
  mounts?: string
  /** Whether the file is copied before a migration changes it; true by default. */
  copyBeforeMigration?: boolean
  /**
   * How long others wait behind a write that awaits something other than the database, in milliseconds; and how long it may take to find
   * out that a database elsewhere cannot be reached.
   */
  patienceMs?: number
  /** For a database in memory: its first content, as returned by `Store.image`. */
  image?: Uint8Array | undefined
  /** Other migrations than the program's own, for tests. */
  migrations?: readonly Migration[]
}
