import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { openDatabase } from '../driver.ts'

export interface Ownership {
  /** Whether the lock is still the one that other processes see. */
  isSeen(): boolean
  release(): void
}

/**
 * Locks the database for this process; throws SQLITE_BUSY where another one has it. The system releases the
 * lock when the process ends, even by a crash.
 *
 * It is SQLite's exclusive lock on an empty file beside the database, not on the database itself: that one
 * stays readable for other threads, and for programs that follow its log.
 */
export function takeOwnership(file: string): Ownership {
  const path = `${file}.owner`
  for (;;) {
    // Created first, so that its inode is known before it is opened. @NOTE one that exists must not be opened and
    // closed
    // here: that would release the locks this process has on it.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    const before = inodeOf(path)
    const lock = openDatabase(path)
    try {
      lock.exec('begin exclusive')
    } catch (error) {
      lock.close()
      throw error
    }
    const isSeen = () => before !== undefined && before === inodeOf(path)
    const release = () => {
      // Removed while it is locked: a process that had opened it before notices that it is gone, and later ones
      // create a new file. One that is not ours is the lock of another process.
      if (isSeen()) rmSync(path, { force: true })
      lock.close()
    }
    // The former owner may have removed it between opening and locking: then this lock is on a file that no other
    // process sees.
    if (isSeen()) return { isSeen, release }
    lock.close()
  }
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino
