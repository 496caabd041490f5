import { chownSync, closeSync, fsyncSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The file is there with all of its text on disk, or as it was, whenever the machine stops. Only its owner reads it. */
export function writeAtomically(path: string, text: string): void {
  const draft = `${path}.new`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  renameSync(draft, path)
  syncFolder(dirname(path))
}

/** A new name in a folder is on disk only when the folder is. */
export const syncFolder = (folder: string): void => syncPath(folder)

/** Waits until a file or folder is on disk as it is. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** What the superuser makes for another user belongs to whom a file or folder of theirs belongs. */
export function ownLike(path: string, model: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(model)
  chownSync(path, uid, gid)
}
