import { existsSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Db } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { isBusy, StorageError } from './errors.ts'
import { readHolder, removeHolder, writeHolder } from './lock.ts'
import { applied, migrate, pending } from './migrate.ts'
import { sqlite } from './sqlite.ts'
import { SEARCH_TEXT_FUNCTION } from './sqlite-search.ts'
import { createWriter, type Writer } from './write.ts'

export interface Store {
  /** The file, or ':memory:'. */
  readonly file: string
  readonly dialect: Dialect
  /** For reading only; waits for a write under way, throws inside one. */
  readonly db: Db
  readonly write: Writer['write']
  /** A consistent copy of the database into a new file, while it is in use. */
  backup(file: string): Promise<void>
  /** Facts for `doctor`: pragmas, versions, integrity. */
  inspect(): Inspection
  close(): Promise<void>
}

export interface Inspection {
  sqlite_version: string
  journal_mode: string
  synchronous: number
  foreign_keys: number
  page_count: number
  page_size: number
  integrity: string[]
  foreign_key_errors: number
}

export interface OpenOptions {
  file: string
  /** Seconds since 1970. */
  now?: () => number
  /** What search looks into, from a message's rendered content. */
  searchText?: (rendered_content: string) => string
  /** The disk failed under us: nothing more will be accepted. */
  onBroken?: (error: StorageError) => void
}

/** SQLite before 3.51.3 can corrupt a WAL database (the WAL-reset bug); better-sqlite3 12.8.0 is the first without. */
const OLDEST_SQLITE = [3, 51, 3] as const

export function checkSqliteVersion(version: string): void {
  const parts = version.split('.').map(Number)
  for (const [i, least] of OLDEST_SQLITE.entries()) {
    const part = parts[i] ?? 0
    if (part > least) return
    if (part < least) {
      throw new StorageError(
        'unsupported',
        `SQLite ${version} has a bug that can corrupt databases; ${OLDEST_SQLITE.join('.')} or newer is needed (better-sqlite3 12.8.0 or newer).`,
      )
    }
  }
}

/** Opens, claims and migrates the database. Throws StorageError: busy, newer, unsupported. */
export async function openStore({ file, now = unixSeconds, searchText, onBroken }: OpenOptions): Promise<Store> {
  const inMemory = file === ':memory:'
  const database = claim(file, inMemory)
  try {
    if (searchText) database.function(SEARCH_TEXT_FUNCTION, { deterministic: true }, (html) => searchText(String(html)))
    checkSqliteVersion(String(database.prepare('select sqlite_version()').pluck().get()))
    const writer = createWriter(database, onBroken)
    const hasTables = database.prepare("select 1 from sqlite_master where name = 'migration'").get() !== undefined
    const todo = pending(await applied(writer.read, hasTables))
    if (hasTables && todo.length > 0 && !inMemory) {
      await database.backup(`${file}.before-${todo.at(-1)!.name}`)
    }
    await migrate(writer, sqlite, todo, now)
    assertDurable(database, inMemory)
    return {
      file,
      dialect: sqlite,
      db: writer.read,
      write: writer.write,
      backup: async (target) => {
        if (existsSync(target)) throw new StorageError('misuse', `${target} exists already; a backup needs a new file`)
        await database.backup(target)
      },
      inspect: () => inspect(database),
      close: async () => {
        await writer.close()
        if (!inMemory) database.pragma('wal_checkpoint(TRUNCATE)')
        database.close()
        if (!inMemory) removeHolder(file)
      },
    }
  } catch (error) {
    database.close()
    if (!inMemory) removeHolder(file)
    throw error
  }
}

const unixSeconds = () => Math.floor(Date.now() / 1000)

/** Opens the file and takes it for this process alone; a second process is told at once who holds it. */
function claim(file: string, inMemory: boolean): Database.Database {
  if (!inMemory && existsSync(file) && statSync(file).isDirectory()) {
    throw new StorageError('misuse', `${file} is a folder, not a database file`)
  }
  // @NOTE timeout 0: waiting for a lock would stop the event loop.
  const database = new Database(file, { timeout: 0 })
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    // @NOTE the driver is compiled to fall back to NORMAL at the first write in WAL mode, which loses acknowledged
    // messages on power failure; hence said, and asserted after the first write.
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('trusted_schema = OFF')
    database.pragma('cache_size = -65536')
    database.pragma('temp_store = MEMORY')
    // An exclusive lock is taken by the first write transaction; take it now, not at the first message.
    database.exec('begin immediate; commit')
    if (!inMemory) writeHolder(file)
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) throw new StorageError('busy', busyMessage(file), { cause: error })
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_NOTADB') {
      throw new StorageError('unsupported', `${file} is not a chat-server database.`, { cause: error })
    }
    throw error
  }
}

function busyMessage(file: string): string {
  const holder = readHolder(file)
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process'
  return `${file} is in use by ${who}. One process owns the file; stop it first.`
}

function assertDurable(database: Database.Database, inMemory: boolean): void {
  const wanted = { synchronous: 2, foreign_keys: 1, journal_mode: inMemory ? 'memory' : 'wal' }
  for (const [name, value] of Object.entries(wanted)) {
    const actual = database.pragma(name, { simple: true })
    if (actual !== value) throw new StorageError('unsupported', `SQLite refused ${name}=${value}: it is ${actual}`)
  }
}

function inspect(database: Database.Database): Inspection {
  const pragma = (name: string) => database.pragma(name, { simple: true })
  return {
    sqlite_version: String(database.prepare('select sqlite_version()').pluck().get()),
    journal_mode: String(pragma('journal_mode')),
    synchronous: Number(pragma('synchronous')),
    foreign_keys: Number(pragma('foreign_keys')),
    page_count: Number(pragma('page_count')),
    page_size: Number(pragma('page_size')),
    integrity: (database.pragma('integrity_check') as { integrity_check: string }[]).map((row) => row.integrity_check),
    foreign_key_errors: (database.pragma('foreign_key_check') as unknown[]).length,
  }
}
