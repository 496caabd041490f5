import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The file is there with all of its text on disk, or as it was, whenever the machine stops. Only its owner reads it. */
export function writeAtomically(path: string, text: string): void {
  const draft = `${path}.new`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  renameSync(draft, path)
  syncFolder(dirname(path))
}

/** A new name in a folder is on disk only when the folder is. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
