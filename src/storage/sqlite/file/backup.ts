import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { syncFolder } from '../../atomic-file.ts'
import { StorageError } from '../../errors.ts'
import { nextTurn } from '../../timers.ts'
import { isFull } from '../errors.ts'
import { stampEpoch } from './epoch.ts'

/** Pages to copy before yielding to other work. */
const PAGES = 100

/**
 * Makes a consistent copy of a database in use. The copy gets its name when it is complete and on disk, so there are
 * no partial copies. `isClosing` ends it early.
 */
export async function copyTo(database: Database.Database, target: string, isClosing = () => false): Promise<void> {
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  try {
    const assertOpen = () => {
      if (isClosing()) throw new StorageError('misuse', 'the store was closed during the backup')
    }
    // @NOTE if it starts during a write, the driver's backup ends immediately, without a copy or an error
    while (!existsSync(partial)) {
      assertOpen()
      await database.backup(partial, {
        progress() {
          assertOpen()
          return PAGES
        },
      })
      await nextTurn()
    }
    // Makes it noticeable when the copy replaces the database.
    stampEpoch(partial)
    renameSync(partial, target)
    syncFolder(dirname(target))
  } catch (error) {
    rmSync(partial, { force: true })
    rmSync(`${partial}-journal`, { force: true })
    if (isFull(error)) {
      throw new StorageError('full', `Not enough disk space for ${target}.`, { cause: error })
    }
    throw error
  }
}

export function refuseExisting(target: string): void {
  if (existsSync(target)) throw new StorageError('misuse', `${target} already exists. A backup needs a new file`)
}
