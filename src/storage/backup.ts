import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { codeOf, isFull, StorageError } from './errors.ts'

/** Pages copied between two turns of the event loop. */
const PAGES = 100

/**
 * A consistent copy of a database in use. It gets its name when it is whole and on disk, so there is no half-made one.
 * `isClosing` ends it early.
 */
export async function copyTo(database: Database.Database, target: string, isClosing = () => false): Promise<void> {
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  try {
    const goOn = () => {
      if (isClosing()) throw new StorageError('misuse', 'the store was closed during the backup')
    }
    // @NOTE begun while a write is under way the driver's backup ends at once, without a copy and without an error.
    while (!existsSync(partial)) {
      goOn()
      await database.backup(partial, {
        progress() {
          goOn()
          return PAGES
        },
      })
      await new Promise(setImmediate)
    }
    renameSync(partial, target)
    syncFolder(dirname(target))
  } catch (error) {
    rmSync(partial, { force: true })
    rmSync(`${partial}-journal`, { force: true })
    if (isFull(error) || codeOf(error) === 'ENOSPC') {
      throw new StorageError('full', `There is no room for ${target}.`, { cause: error })
    }
    throw error
  }
}

export function refuseExisting(target: string): void {
  if (existsSync(target)) throw new StorageError('misuse', `${target} exists already; a backup needs a new file`)
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
