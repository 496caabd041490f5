// The SQLite driver's native addon. The system loads libraries only from files, so it is written to a file that is
// deleted after loading. No file stays behind to check, clean up, or replace.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRawAsset } from 'node:sea'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { StorageError } from '../../../src/storage/errors.ts'
import { ADDON_ASSET } from './assets.ts'

/** The path from which the main thread loaded it, for the threads started later. */
const LOADED_FROM = 'chat-server.addon'

interface Target {
  exports: object
}

/**
 * Returns the driver's native addon.
 *
 * @throws StorageError `unsupported` if no folder allows loading a library
 */
export function loadAddon(): object {
  const target: Target = { exports: {} }
  const loadedFrom = getEnvironmentData(LOADED_FROM)
  // The linker finds a loaded library by its path, without the file. A second copy of SQLite in one process would be
  // dangerous: closing a file in one copy drops the locks that the other holds on it.
  if (typeof loadedFrom === 'string') process.dlopen(target, loadedFrom)
  else setEnvironmentData(LOADED_FROM, loadFromFirst(new Set([tmpdir(), '/dev/shm']), target))
  return target.exports
}

function loadFromFirst(folders: Iterable<string>, target: Target): string {
  const problems: string[] = []
  for (const folder of folders) {
    try {
      return loadFrom(folder, target)
    } catch (error) {
      problems.push(`${folder}: ${error instanceof Error ? error.message : error}`)
    }
  }
  throw new StorageError(
    'unsupported',
    `The SQLite driver can't be loaded from a temporary folder (${problems.join('; ')}). Set TMPDIR to a folder that is writable and not mounted with noexec.`,
  )
}

/** Loads the addon from a new folder that only this user can enter. The folder is gone when this returns. */
function loadFrom(folder: string, target: Target): string {
  const own = mkdtempSync(join(folder, 'chat-server-addon-'))
  try {
    const file = join(own, ADDON_ASSET)
    writeFileSync(file, new Uint8Array(getRawAsset(ADDON_ASSET)), { mode: 0o700 })
    process.dlopen(target, file)
    return file
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
