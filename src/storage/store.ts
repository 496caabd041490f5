import type { Dialect } from './dialect.ts'
import type { Db, TxDb } from './handle.ts'
import type { Soon } from './soon.ts'

/**
 * The database. Guarantees of every dialect:
 *
 * - **Writes are serialized**: all changes have one order, and a write sees every change before it. It may check and
 *   then insert, take the newest id as a boundary, and compute the position of an event from what it reads.
 * - The work of a write may run again. If several writes share a transaction and one fails, the others may be undone
 *   before anyone is answered. Only the effects of the last run count.
 * - Writes that only append (`appends`) see all other writes before them, but no row that another such write appends at
 *   the same time. They become visible in the order of their ids.
 * - A write is atomic. When `write` has resolved, it is on disk, unless it was `relaxed`.
 * - Inside a write, await only the database, because all other writes wait for it. Render, hash and fetch before.
 * - Reads see only committed changes. A read outside a snapshot sees the newest ones, so two reads may see different
 *   states.
 * - Integers, counts and ids are JavaScript numbers, bytes are Uint8Arrays, and flags are 0 or 1.
 *
 * After the disk has failed, `onBroken` is called once, and every later operation fails.
 */
export interface Store {
  /** The database in messages: the file, or ':memory:'. */
  readonly file: string
  readonly dialect: Dialect
  /** A read-only handle. Queries wait for a write in progress, and throw inside one. */
  readonly db: Db
  /** Runs the work as one of the serialized writes. Resolves when it is on disk. */
  write<T>(work: (scope: WriteScope) => Soon<T>, options?: WriteOptions): Promise<T>
  /**
   * Runs reads that all see the database at one point in time. If the database can, they run off the main thread, so
   * that long ones delay no one. They see every write that was answered before the call.
   * @example
   * const names = await store.snapshot((db) => db.selectFrom('user').select('full_name').execute())
   */
  snapshot<T>(work: (db: Db) => Promise<T>, options?: SnapshotOptions): Promise<T>
  /** Makes a consistent copy of the database in a new file, while it is in use. */
  backup(file: string): Promise<void>
  /** Returns the entire database as bytes, from which others can be opened in memory. */
  image(): Promise<Uint8Array>
  /** Collects facts for `doctor`: settings, versions, integrity. Reads the entire database, off the main thread. */
  inspect(): Promise<Inspection>
  /** Calls back after each commit, with the number of writes in it. */
  observeCommits(observe: (writes: number) => void): void
  /** Returns the space that the database takes. */
  sizes(): Promise<StoreSizes>
  /** The other processes that share the database; missing if this is the only one. */
  readonly peers?: Peers
  close(): Promise<void>
}

/** Other processes that use the database at the same time. */
export interface Peers {
  /**
   * Sets the work that updates this process's memory with what others have committed. It runs first in each
   * transaction, and soon after others have committed, but never during a transaction of this process.
   */
  follow(work: (news: PeerNews) => Promise<void>): void
  /**
   * Sends a text of up to 7,000 bytes to the other processes with the commit, once. Processes that aren't running miss
   * it.
   */
  announce(db: TxDb, text: string): Promise<void>
  /** Follows the other processes now. Resolves when everything they committed before the call is known. */
  catchUp(): Promise<void>
  /**
   * Returns whether this process does the work that only one process may do. Another takes over within seconds after
   * it ends.
   */
  leads(): boolean
  /** Calls back when this process starts to lead. */
  onLead(start: () => void): void
  /**
   * Keeps other processes from opening the database until this one closes it. Returns false if another has it open.
   */
  excludeOthers(): Promise<boolean>
  /**
   * Takes one of the locks that all processes share. It ends with this process. Returns what gives it back, or undefined
   * if a process has it already.
   */
  tryLock(name: PeerLock): Promise<(() => Promise<void>) | undefined>
  /** Sends a text of up to 7,000 bytes to all other processes soon. It may be lost. */
  broadcast(text: string): void
  onBroadcast(listener: (text: string) => void): void
  /** Collects facts about the shared server for `doctor`. */
  inspect(): Promise<ServerInspection>
}

/** Work that must not run in two processes at a time. */
export type PeerLock = 'export' | 'import' | 'directory sync'

export interface ServerInspection {
  server_version: string
  synchronous_commit: string
  fsync: string
  encoding: string
  database_bytes: number
  /** Connections of chat-server to this database, including this process's. */
  connections: number
  max_connections: number
}

export interface PeerNews {
  readonly db: Db
  /** Texts that other processes announced since the last time. */
  readonly announced: readonly string[]
  /** Set in the first transaction of a connection, which may then write. Relaxed writes from before may be lost. */
  readonly reconnected?: TxDb | undefined
  /**
   * Set in a transaction of appending writes: the ids reserved for its events. Events that others append have other
   * ids, and are news after the commit.
   */
  readonly eventIds?: Promise<IdRange> | undefined
  /** Set after the commit of such a transaction: only events with lower ids are news, and nothing else is. */
  readonly before?: number | undefined
}

export interface IdRange {
  /** Exclusive. */
  readonly after: number
  /** Inclusive. */
  readonly upTo: number
}

export interface StoreSizes {
  database_bytes: number
  /** Bytes that are committed but not yet in the database file; 0 in memory. */
  log_bytes: number
}

export interface WriteScope {
  readonly db: TxDb
  /** The same object for all writes that are committed together. */
  readonly transaction: object
  /** Whether the caller asked for a relaxed write. */
  readonly relaxed: boolean
  /** Called after the commit is on disk, before the caller is answered. Dropped if the write fails. */
  afterCommit(effect: () => void): void
}

export interface WriteOptions {
  /**
   * For data that may be lost: a power failure can undo the entire write after it was answered. It doesn't wait for
   * the disk.
   */
  relaxed?: boolean
  /**
   * For a write that nearly always only appends messages and their events. Processes that share the database run such
   * writes at the same time. If it does anything else, it is undone and runs again alone, like all other writes.
   */
  appends?: boolean
  /**
   * For a write that changes nothing but the search index. One of them runs at a time, beside writes of other processes
   * that append. If it does anything else, it is undone and runs again alone.
   */
  indexes?: boolean
}

export interface SnapshotOptions {
  /** The approximate number of rows to read. Few rows are read on the main thread. */
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
