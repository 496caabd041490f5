import { chownSync, closeSync, fsyncSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file atomically: after a crash it has either the new content or the old. Only its owner can read it. */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  const draft = `${path}.new`
  writeFileSync(draft, content, { mode: 0o600, flush: true })
  renameSync(draft, path)
  syncFolder(dirname(path))
}

/** A new name in a folder is on disk only when the folder is synced. */
export const syncFolder = (folder: string): void => syncPath(folder)

/** Syncs a file or folder to disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** If the superuser runs this for another user, gives the file to the owner of that user's file or folder. */
export function ownLike(path: string, model: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(model)
  chownSync(path, uid, gid)
}
