import type { Dialect } from './dialect.ts'
import type { StorageError } from './errors.ts'
import type { TxDb } from './handle.ts'
import type { Migration } from './migration.ts'

/** The name of a private database in memory. */
export const IN_MEMORY = ':memory:'

export interface OpenOptions {
  /** A file, ':memory:', or the address of a PostgreSQL database: `postgres://user:password@host/name`. */
  file: string
  /** Seconds since 1970. */
  now?: () => number
  /** Called when the disk has failed; no more writes will be accepted. */
  onBroken?: (error: StorageError) => void
  /** Called with a sentence for the operator if something is unusual but not broken. */
  warn?: (text: string) => void
  /**
   * Called in a write if the file may be older than what clients have seen: a backup replaced it, or its log was lost.
   * The function must leave a gap in the ids after `newest`, the ids known to have been assigned. Without this option,
   * the next process that opens the file is called.
   */
  onRollback?: (db: TxDb, dialect: Dialect, newest: ReadonlyMap<string, number>) => Promise<unknown>
  /** Called if a write awaited something other than the database, a bug that delays all other writes. */
  onForeignAwait?: () => void
  /**
   * Milliseconds for which writes are collected into one commit. The event loop is blocked for that time and one
   * write.
   */
  groupMs?: number
  /** The table of mounted file systems in Linux's format; replaced in tests. */
  mounts?: string
  /** Whether the file is copied before a migration changes it; true by default. */
  copyBeforeMigration?: boolean
  /**
   * Milliseconds that others wait behind a write that awaits something other than the database. It also limits how
   * long it takes to notice that a remote database can't be reached.
   */
  patienceMs?: number
  /** The first content of a database in memory, and of a missing file, as returned by `Store.image`. */
  image?: Uint8Array | undefined
  /** MiB of memory that a SQLite file's pages may take; 16 by default. PostgreSQL has its own settings. */
  cacheMib?: number
  /** Replaces the program's own migrations in tests. */
  migrations?: readonly Migration[]
}
