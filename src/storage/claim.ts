import { existsSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { codeOf, isBusy, isFull, StorageError } from './errors.ts'
import { readHolder, writeHolder } from './lock.ts'

export const IN_MEMORY = ':memory:'

/** Opens the file and takes it for this process alone; a second process is told at once who holds it. */
export function claim(file: string): Database.Database {
  if (file !== IN_MEMORY && existsSync(file) && statSync(file).isDirectory()) {
    throw new StorageError('misuse', `${file} is a folder, not a database file`)
  }
  let database: Database.Database | undefined
  try {
    // @NOTE timeout 0: waiting for a lock would stop the event loop.
    database = new Database(file, { timeout: 0 })
    database.pragma('locking_mode = EXCLUSIVE')
    refuseForeign(database, file)
    database.pragma('journal_mode = WAL')
    // @NOTE the driver is compiled to fall back to NORMAL at the first write in WAL mode, which loses acknowledged
    // messages on power failure; hence said, and asserted after the first write.
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('trusted_schema = OFF')
    database.pragma('cache_size = -65536')
    // 16 MiB of log between checkpoints: each one costs syncs that the commit it falls on has to wait for.
    database.pragma('wal_autocheckpoint = 4000')
    database.pragma('temp_store = MEMORY')
    // An exclusive lock is taken by the first write transaction; take it now, not at the first message.
    database.exec('begin immediate; commit')
    if (file !== IN_MEMORY) writeHolder(file)
    return database
  } catch (error) {
    database?.close()
    throw toldOf(error, file)
  }
}

/** Looks before anything is changed: somebody may have named the wrong file. */
function refuseForeign(database: Database.Database, file: string): void {
  const tables = database.prepare('select name from sqlite_master').pluck().all()
  if (tables.length > 0 && !tables.includes('migration')) throw notOurs(file)
}

const notOurs = (file: string, cause?: unknown) =>
  new StorageError('unsupported', `${file} is not a chat-server database. Nothing was changed.`, { cause })

function toldOf(error: unknown, file: string): unknown {
  const code = codeOf(error)
  if (isBusy(error)) return new StorageError('busy', busyMessage(file), { cause: error })
  if (code === 'SQLITE_NOTADB') return notOurs(file, error)
  if (isFull(error)) return new StorageError('full', `The disk of ${file} is full.`, { cause: error })
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|IOERR_LOCK)|E(ACCES|PERM|ROFS))/.test(code)) {
    const message = `${file} cannot be opened for writing: this user must be able to write and lock the file, and to write its folder.`
    return new StorageError('unsupported', message, { cause: error })
  }
  if (/^SQLITE_(CORRUPT|IOERR)/.test(code)) {
    const message = `${file} is damaged or its disk fails: ${(error as Error).message}. Restore a backup.`
    return new StorageError('broken', message, { cause: error })
  }
  return error
}

function busyMessage(file: string): string {
  const holder = readHolder(file)
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process'
  return `${file} is in use by ${who}. One process owns the file; stop it first.`
}
