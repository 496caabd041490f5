import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { ownLike, syncFolder, syncPath } from '../atomic-file.ts'
import { StorageError } from '../errors.ts'
import { realFile } from '../real-file.ts'
import type { Store } from '../store.ts'
import { openDatabase } from './driver.ts'
import { isBusy, isFull } from './errors.ts'
import { inUse, notOurs, openFailure } from './file/failures.ts'
import { refuseLinks } from './file/hard-links.ts'
import { readRemains } from './file/history.ts'
import { isDatabase } from './file/newest-copy.ts'
import { checkPlace } from './file/open-file.ts'
import { takeOwnership } from './file/owner-lock.ts'
import { moveState, stateFile } from './file/state-file.ts'
import { openSqlite } from './open-store.ts'

/** A copy of a backup that will replace a database: checked, migrated and open. Disposing removes it. */
export interface StagedRestore extends AsyncDisposable {
  readonly store: Store
  /** Whether there is a database to replace. */
  readonly replaces: boolean
  /** The newest ids of the database to replace, by table, as far as it can still be read. */
  readonly replacedIds: ReadonlyMap<string, number>
  /**
   * Closes the copy and renames it into place. After a crash, either the old or the new database is there, complete.
   */
  putInPlace(): Promise<void>
}

interface RestoreOptions {
  from: string
  to: string
  /** Whether to replace an existing database. */
  force: boolean
  /** Seconds since 1970. */
  now: () => number
}

const LOGS = ['-wal', '-shm', '-journal']

/**
 * Throws StorageError: `busy` if a process has either file open, `misuse`, `unsupported`, `newer`, `broken`, `full`.
 */
export async function stageRestore({ from, to, force, now }: RestoreOptions): Promise<StagedRestore> {
  const source = realFile(from)
  const file = realFile(to)
  const draft = `${file}.restoring`
  checkPlace(file)
  checkSource(from, source, file)
  const ownership = own(file)
  let store: Store | undefined
  const clear = async () => {
    await store?.close()
    removeDraft(draft)
    ownership.release()
  }
  try {
    const replaces = existsSync(file)
    if (replaces && !force) throw new StorageError('misuse', `${to} already exists. Use --force to replace it`)
    if (replaces) refuseLinks(file)
    removeDraft(draft)
    await copy(source, draft)
    store = await openCopy(draft, from, now)
    const replacedIds = replaces ? settle(file) : new Map<string, number>()
    return {
      store,
      replaces,
      replacedIds,
      async putInPlace() {
        await store?.close()
        chmodSync(draft, replaces ? statSync(file).mode : 0o600)
        ownLike(draft, replaces ? file : dirname(file))
        syncPath(draft)
        // SQLite would apply the old file's log to the new one. If the old file was readable, its log has been copied
        // into it by now.
        for (const log of LOGS) rmSync(file + log, { force: true })
        syncFolder(dirname(file))
        renameSync(draft, file)
        syncFolder(dirname(file))
        moveState(draft, file)
      },
      [Symbol.asyncDispose]: clear,
    }
  } catch (error) {
    await clear()
    throw isFull(error) ? new StorageError('full', `Not enough disk space to copy ${from} next to ${to}.`) : error
  }
}

function checkSource(from: string, source: string, file: string): void {
  const found = statSync(source, { throwIfNoEntry: false })
  if (!found) throw new StorageError('misuse', `${from} does not exist`)
  const target = statSync(file, { throwIfNoEntry: false })
  if (target && target.ino === found.ino && target.dev === found.dev) {
    throw new StorageError('misuse', `${from} is the database itself, not a backup of it`)
  }
  // Checked before anything is opened: closing a handle on a database in use would release its locks.
  if (existsSync(`${source}.owner`)) refuseInUse(from, source)
  if (!isDatabase(source)) throw notOurs(from)
}

/** Throws if the file is in use, since it couldn't be copied consistently. */
function refuseInUse(from: string, source: string): void {
  try {
    takeOwnership(source).release()
  } catch (error) {
    // In a read-only folder, no process can own a database.
    if (isBusy(error)) throw inUse(from, error)
  }
}

function own(file: string): { release(): void } {
  try {
    return takeOwnership(file)
  } catch (error) {
    throw openFailure(error, file)
  }
}

async function copy(source: string, draft: string): Promise<void> {
  await copyFile(source, draft)
  // A plain copy of the files may have a log beside it. A backup has an empty log or none.
  if (existsSync(`${source}-wal`)) copyFileSync(`${source}-wal`, `${draft}-wal`)
  if (existsSync(stateFile(source))) copyFileSync(stateFile(source), stateFile(draft))
}

async function openCopy(draft: string, from: string, now: () => number): Promise<Store> {
  let store: Store | undefined
  try {
    store = await openSqlite({ file: draft, now, copyBeforeMigration: false })
    const { integrity } = await store.inspect()
    if (integrity.join() === 'ok') return store
    throw new StorageError('broken', integrity[0] ?? 'no answer')
  } catch (error) {
    await store?.close()
    if (!(error instanceof StorageError)) throw error
    throw new StorageError(error.kind, inWords(error, draft, from), { cause: error })
  }
}

function inWords(error: StorageError, draft: string, from: string): string {
  if (error.kind !== 'broken') return error.message.replaceAll(draft, from)
  const reason = error.cause instanceof Error ? error.cause.message : error.message.split('\n', 1)[0]
  return `${from} is damaged (${reason}). Nothing was changed. Use another backup.`
}

/** Checkpoints the database to replace, so that its file stays complete until then. Returns its newest ids. */
function settle(file: string): ReadonlyMap<string, number> {
  let database: Database.Database | undefined
  try {
    readRemains(file)
    database = openDatabase(file)
    const rows = database.prepare('select name, seq from sqlite_sequence').all() as { name: string; seq: number }[]
    database.pragma('wal_checkpoint(TRUNCATE)')
    return new Map(rows.map(({ name, seq }) => [name, seq]))
  } catch (error) {
    if (isBusy(error)) throw inUse(file, error)
    // It is damaged, or not a database of this program, so its ids can't be read.
    return new Map()
  } finally {
    database?.close()
  }
}

function removeDraft(draft: string): void {
  for (const rest of ['', ...LOGS, '.lock', '.owner', '.state']) rmSync(draft + rest, { force: true })
}
