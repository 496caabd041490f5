import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../atomic-file.ts'
import { StorageError } from '../../errors.ts'
import { isFull } from '../errors.ts'
import { stampEpoch } from './epoch.ts'

/**
 * Gives a copy its name when `copy` has made it and it is on disk, so there are no partial copies. `isClosing` says
 * whether the store is being closed.
 */
export async function copyTo(
  target: string,
  copy: (partial: string) => Promise<unknown>,
  isClosing = () => false,
): Promise<void> {
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  try {
    await copy(partial).catch((error: unknown) => {
      if (isClosing()) throw closedMeanwhile(error)
      throw error
    })
    if (isClosing()) throw closedMeanwhile()
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

const closedMeanwhile = (cause?: unknown) =>
  new StorageError('misuse', 'the store was closed during the backup', { cause })

export function refuseExisting(target: string): void {
  if (existsSync(target)) throw new StorageError('misuse', `${target} already exists. A backup needs a new file`)
}
