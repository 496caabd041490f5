import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { StorageError } from '../../errors.ts'
import { IN_MEMORY } from '../../open-options.ts'
import { openDatabase } from '../driver.ts'
import { CHECKPOINT_PAGES } from '../pragmas.ts'
import { placeEmptyDatabase } from './empty-database.ts'
import { notOurs, openFailure } from './failures.ts'
import { fileSystemProblem, isLocal, readMounts } from './file-system.ts'
import { refuseLinks } from './hard-links.ts'
import { type History, openHistory, type Remains, readRemains } from './history.ts'
import { type Ownership, takeOwnership } from './owner-lock.ts'
import { removeHolder, writeHolder } from './pid-file.ts'

export interface OpenFile {
  database: Database.Database
  /** Only for a file, not in memory. */
  ownership?: Ownership | undefined
  history?: History | undefined
  /** Whether nothing has written to the file since this program closed it. */
  isUnchanged: boolean
  /** Whether the file was missing, and now is an empty database with tables. */
  isPlaced: boolean
  /** Closes the database, then releases the ownership of its file. */
  close(): void
}

/**
 * Opens the file, or an image in memory, exclusively for this process. A second process immediately gets an error that
 * names the owner.
 *
 * @param mayPlace - whether a missing file may begin as an empty database with tables
 */
export function openFile(
  file: string,
  { mounts, image, mayPlace }: { mounts?: string | undefined; image?: Uint8Array | undefined; mayPlace: boolean },
): OpenFile {
  if (file !== IN_MEMORY) {
    checkPlace(file)
    checkFileSystem(file, mounts)
    checkRemains(file)
  }
  let database: Database.Database | undefined
  let ownership: Ownership | undefined
  let remains: Remains | undefined
  let isPlaced = false
  try {
    if (file !== IN_MEMORY) {
      ownership = takeOwnership(file)
      refuseLinks(file)
      remains = readRemains(file)
      isPlaced = mayPlace && placeEmptyDatabase(file, image)
    }
    const opened = openDatabase(image && file === IN_MEMORY ? Buffer.from(image) : file)
    database = opened
    refuseForeign(opened, file)
    opened.pragma('journal_mode = WAL')
    // @NOTE in WAL mode, the driver is compiled to fall back to NORMAL at the first write, which loses acknowledged
    // messages after a power failure. So FULL is set explicitly, and checked after the first write.
    opened.pragma('synchronous = FULL')
    opened.pragma('foreign_keys = ON')
    opened.pragma('trusted_schema = OFF')
    opened.pragma('cache_size = -65536')
    opened.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    opened.pragma('temp_store = MEMORY')
    // A read-only file fails here instead of at the first message.
    opened.exec('begin immediate; commit')
    const history = remains && openHistory(opened, remains)
    if (file !== IN_MEMORY) writeHolder(file)
    return {
      database: opened,
      ownership,
      history,
      isUnchanged: remains?.isUnchanged === true,
      isPlaced,
      close() {
        opened.close()
        if (file !== IN_MEMORY) removeHolder(file)
        ownership?.release()
      },
    }
  } catch (error) {
    database?.close()
    ownership?.release()
    throw openFailure(error, file)
  }
}

export function checkPlace(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StorageError('misuse', `${file} is a folder, not a database file`)
  }
  if (!existsSync(dirname(file))) throw new StorageError('misuse', `the folder ${dirname(file)} does not exist`)
}

function checkFileSystem(file: string, mounts: string | undefined): void {
  const folder = dirname(file)
  if (mounts === undefined && isLocal(folder)) return
  const found = fileSystemProblem(folder, mounts ?? readMounts())
  if (found?.refused) throw new StorageError('unsupported', `${found.message}.`)
}

/** Throws if a new database would get the log of a missing one. */
function checkRemains(file: string): void {
  if (sizeOf(file) > 0) return
  const remains = [`${file}-wal`, `${file}.secret`].find((path) => sizeOf(path) > 0)
  if (!remains) return
  const state = existsSync(file) ? 'is empty' : 'is missing'
  const message = `${file} ${state}, but ${remains} exists, so there was a database. Put it back or restore a backup (chat-server restore). To start with a new database, remove ${remains} first.`
  throw new StorageError('misuse', message)
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Checks the file before anything changes, because the operator may have given the wrong one. */
function refuseForeign(database: Database.Database, file: string): void {
  const tables = database.prepare('select name from sqlite_master').pluck().all()
  if (tables.length > 0 && !tables.includes('migration')) throw notOurs(file)
}
