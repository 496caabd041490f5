import type { Dialect } from './dialect.ts'
import type { Db, TxDb } from './handle.ts'

/**
 * The database. Guarantees of every dialect:
 *
 * - **Writes are serialised**: there is one order of all changes, and a write sees every change before it. So it may
 *   check and then insert, take the newest id as a boundary, and compute the position of an event from what it reads.
 * - The work of a write may run again: where several writes share a transaction and one fails, the others may be undone with it
 *   before anybody was answered. What it draws from memory is drawn again, its effects are those of the last run.
 * - A write is atomic, and when `write` has resolved it is on disk, unless it was `relaxed`.
 * - Inside a write only the database is awaited: all other writes wait for it. Render, hash and fetch before.
 * - Reads see committed changes only. A read outside a snapshot sees the newest ones, so two reads
 *   may see different states.
 * - Integers are returned as JavaScript numbers, counts and ids included; bytes as Uint8Array; flags as 0 or 1.
 *
 * A failing disk ends it: `onBroken` is called once, and everything after that is refused.
 */
export interface Store {
  /** The name of the database in messages: the file, or ':memory:'. */
  readonly file: string
  readonly dialect: Dialect
  /** A handle for reading only; queries wait for a write in progress, and throw inside one. */
  readonly db: Db
  /** Runs the work as one of the serialised writes; resolves when it is on disk. */
  write<T>(work: (scope: WriteScope) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Runs reads that all see the database at one point in time, off the main thread where the database can, so
   * that long ones delay nobody. They see every write that was answered before the call.
   *
   * @example
   * const names = await store.snapshot((db) => db.selectFrom('user').select('full_name').execute())
   */
  snapshot<T>(work: (db: Db) => Promise<T>, options?: SnapshotOptions): Promise<T>
  /** A consistent copy of the database into a new file, while it is in use. */
  backup(file: string): Promise<void>
  /** The whole database as bytes, from which others can be opened in memory. */
  image(): Promise<Uint8Array>
  /** Facts for `doctor`: settings, versions, integrity. Reads the whole database, off the main thread. */
  inspect(): Promise<Inspection>
  /** Calls back after each commit, with the number of writes in it. */
  observeCommits(observe: (writes: number) => void): void
  /** How much space it takes. */
  sizes(): Promise<StoreSizes>
  /** The other processes that share the database; absent where this is the only one. */
  readonly peers?: Peers
  close(): Promise<void>
}

/** Other processes that use the database at the same time. */
export interface Peers {
  /**
   * `work` brings what this process keeps in memory up to date with what others have committed. It runs first in each
   * transaction, before any write in it, and soon after others have committed; never while a transaction of this
   * process goes on.
   */
  follow(work: (news: PeerNews) => Promise<void>): void
  /** Has others be given a text with the commit, up to 7,000 bytes, once; those that are away miss it. */
  announce(db: TxDb, text: string): Promise<void>
  /** Follows the others now; resolves when what they had committed before the call is known. */
  catchUp(): Promise<void>
  /** Whether this process does what only one may do; another takes over within seconds when it ends. */
  leads(): boolean
  /** Calls back when this process begins to lead. */
  onLead(start: () => void): void
  /** Keeps others from opening the database until this process closes it; false where one has it open. */
  excludeOthers(): Promise<boolean>
  /** Gives all others a text of up to 7,000 bytes, soon; it may be lost. */
  broadcast(text: string): void
  onBroadcast(listener: (text: string) => void): void
  /** Facts for `doctor` about the server that they share. */
  inspect(): Promise<ServerInspection>
}

export interface ServerInspection {
  server_version: string
  synchronous_commit: string
  fsync: string
  encoding: string
  database_bytes: number
  /** Connections of chat-server to this database, those of this process included. */
  connections: number
  max_connections: number
}

export interface PeerNews {
  readonly db: Db
  /** What others announced since the last time. */
  readonly announced: readonly string[]
  /** In the first transaction of a connection: what was written without waiting for the disk may be gone. Then it may write. */
  readonly reconnected: TxDb | undefined
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
  /** Called after the commit is on disk, before the caller is answered; dropped if the write fails. */
  afterCommit(effect: () => void): void
}

export interface WriteOptions {
  /**
   * For data that may be lost: a power failure can undo the write, as a whole, after it was answered. It does not
   * wait for the disk.
   */
  relaxed?: boolean
}

export interface SnapshotOptions {
  /** Approximate number of rows to read. Few rows are read on the main thread. */
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
