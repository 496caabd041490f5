import type { Dialect } from './dialect.ts'
import type { Db, TxDb } from './handle.ts'

/**
 * The database, behind one door. What holds on every dialect:
 *
 * - **Writes are serialised**: there is one order of all changes, and a write sees every change before it. So it may
 *   look and then insert, take the newest id as a boundary, and draw the position of an event from what it reads.
 * - A write is whole or absent, and when `write` has answered it is on disk, unless it was `relaxed`.
 * - Inside a write only the database is awaited: all other writes wait for it. Render, hash and fetch before.
 * - Reads see committed changes only. A read outside a snapshot sees the changes up to its own moment, so two reads
 *   may see different ones.
 * - Whole numbers come back as JavaScript numbers, counts and ids included; bytes as Uint8Array; flags as 0 or 1.
 *
 * A failing disk ends it: `onBroken` is called once, and all that follows is refused.
 */
export interface Store {
  /** Where the database is, as messages name it: the file, or ':memory:'. */
  readonly file: string
  readonly dialect: Dialect
  /** For reading only; waits for a write in progress, throws inside one. */
  readonly db: Db
  /** Runs the work in the one order of writes; answers when it is on disk. */
  write<T>(work: (scope: WriteScope) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Runs reads that all see one moment of the database, apart from the event loop where the database can, so that
   * long ones hold up nobody. The moment is that of the call or later, and includes every write answered before it.
   *
   * @example
   * const names = await store.snapshot((db) => db.selectFrom('user').select('full_name').execute())
   */
  snapshot<T>(work: (db: Db) => Promise<T>, options?: SnapshotOptions): Promise<T>
  /** A consistent copy of the database into a new file, while it is in use. */
  backup(file: string): Promise<void>
  /** Facts for `doctor`: settings, versions, integrity. Reads all of the database, apart from the event loop. */
  inspect(): Promise<Inspection>
  /** Calls back after each commit, with the number of writes in it. */
  observeCommits(observe: (writes: number) => void): void
  /** How much space it takes. */
  sizes(): Promise<StoreSizes>
  close(): Promise<void>
}

export interface StoreSizes {
  database_bytes: number
  /** What has been committed and is not yet in the database file; 0 in memory. */
  log_bytes: number
}

export interface WriteScope {
  readonly db: TxDb
  /** The transaction, the same object for all writes that are committed together. */
  readonly transaction: object
  /** As the write was asked for. */
  readonly relaxed: boolean
  /** Runs after the commit is on disk, before the caller is answered; dropped if the write fails. */
  afterCommit(effect: () => void): void
}

export interface WriteOptions {
  /**
   * For what may be forgotten: a power failure can undo the write, whole, after it was answered. It waits for no disk.
   */
  relaxed?: boolean
}

export interface SnapshotOptions {
  /** About how many rows are going to be read. Few are read at once, where many would be read elsewhere. */
  rows?: number
}

export interface Inspection {
  sqlite_version: string
  journal_mode: string
  locking_mode: string
  synchronous: number
  foreign_keys: number
  page_count: number
  page_size: number
  integrity: string[]
  foreign_key_errors: number
}
