import { copyTo, refuseExisting } from './backup.ts'
import { claim, IN_MEMORY } from './claim.ts'
import type { Db } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { StorageError } from './errors.ts'
import { removeHolder } from './lock.ts'
import { applied, type Migration, migrate, pending, migrations as released } from './migrate.ts'
import { assertDurable, checkSqliteVersion, type Inspection, inspect } from './pragmas.ts'
import { sqlite } from './sqlite.ts'
import { SEARCH_TEXT_FUNCTION } from './sqlite-search.ts'
import { createWriter, type Writer } from './write.ts'

export type { Inspection }

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

export interface OpenOptions {
  file: string
  /** Seconds since 1970. */
  now?: () => number
  /** What search looks into, from a message's rendered content. */
  searchText?: (rendered_content: string) => string
  /** The disk failed under us: nothing more will be accepted. */
  onBroken?: (error: StorageError) => void
  /** Another history than the program's own; tests bring theirs. */
  migrations?: readonly Migration[]
}

/** Opens, claims and migrates the database. Throws StorageError: busy, newer, unsupported, broken. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { file, now = unixSeconds, searchText, onBroken, migrations = released } = options
  const inMemory = file === IN_MEMORY
  const database = claim(file)
  let closing: Promise<void> | undefined
  const backups = new Set<Promise<void>>()
  const letGo = () => {
    // In this order: as soon as the database is free somebody else may write their own.
    if (!inMemory) removeHolder(file)
    database.close()
  }
  try {
    if (searchText) database.function(SEARCH_TEXT_FUNCTION, { deterministic: true }, (html) => searchText(String(html)))
    checkSqliteVersion(String(database.prepare('select sqlite_version()').pluck().get()))
    const writer = createWriter(database, onBroken)
    const hasTables = database.prepare("select 1 from sqlite_master where name = 'migration'").get() !== undefined
    const todo = pending(await applied(writer.read, hasTables), migrations)
    const snapshot = hasTables && todo.length > 0 && !inMemory ? `${file}.before-${todo.at(-1)!.name}` : undefined
    if (snapshot) await copyTo(database, snapshot)
    await migrate(writer, sqlite, todo, now, snapshot)
    assertDurable(database, inMemory)
    return {
      file,
      dialect: sqlite,
      db: writer.read,
      write: writer.write,
      async backup(target) {
        if (closing) throw new StorageError('misuse', 'the store is closed')
        refuseExisting(target)
        const backup = copyTo(database, target, () => closing !== undefined)
        backups.add(backup)
        await backup.finally(() => backups.delete(backup))
      },
      inspect: () => inspect(database),
      close: () => {
        closing ??= finish(writer)
        return closing
      },
    }
  } catch (error) {
    letGo()
    throw error
  }

  async function finish(writer: Writer): Promise<void> {
    await writer.close()
    await Promise.allSettled(backups)
    // SQLite folds the log into the file when it closes; where that fails the log stays, and loses nothing.
    letGo()
  }
}

const unixSeconds = () => Math.floor(Date.now() / 1000)
