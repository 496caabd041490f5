import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const HEADER = 'SQLite format 3\0'
/**
 * Files that SQLite and this program keep beside a database. @NOTE closing a handle on one of them would release its
 * locks.
 */
const COMPANIONS = /-(wal|shm|journal)$|\.(lock|owner|state|secret|sock|partial|restoring|new)$/

/**
 * Finds the newest database in this folder with the same beginning of its name: a backup, or the copy made before a
 * migration.
 */
export function newestCopy(file: string): { path: string; at: Date } | undefined {
  try {
    const folder = dirname(file)
    const stem = basename(file).replace(/\.[^.]*$/, '')
    const copies = readdirSync(folder)
      .filter((name) => name.startsWith(stem) && name !== basename(file) && !COMPANIONS.test(name))
      .map((name) => join(folder, name))
      .filter(isDatabase)
      .map((path) => ({ path, at: statSync(path).mtime }))
    return copies.sort((a, b) => b.at.getTime() - a.at.getTime())[0]
  } catch {
    // Errors are ignored because the result only extends another error's message.
    return undefined
  }
}

/** Returns whether a file begins like a SQLite database. Must not be called for a file that this process has open. */
export function isDatabase(path: string): boolean {
  if (!statSync(path).isFile()) return false
  const handle = openSync(path, 'r')
  try {
    const head = Buffer.alloc(HEADER.length)
    readSync(handle, head)
    return head.toString('latin1') === HEADER
  } finally {
    closeSync(handle)
  }
}
