import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { openDatabase } from '../driver.ts'

export interface Ownership {
  /** Whether other processes see this lock. */
  isSeen(): boolean
  release(): void
}

/**
 * Locks the database for this process. Throws SQLITE_BUSY if another process has it. The system releases the lock when
 * the process ends, even after a crash.
 *
 * It is SQLite's exclusive lock on an empty file beside the database. The database itself stays readable for other
 * threads and for programs that follow its log.
 */
export function takeOwnership(file: string): Ownership {
  const path = `${file}.owner`
  for (;;) {
    // Created first, so that its inode is known before it is opened. @NOTE opening and closing an existing file here
    // would release this process's locks on it.
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
      // Removed while it is locked: a process that opened it earlier notices that it is gone, and later ones create a
      // new file. A file that isn't ours is another process's lock.
      if (isSeen()) rmSync(path, { force: true })
      lock.close()
    }
    // The former owner may have removed it between opening and locking. Then this lock is on a file that no other
    // process sees.
    if (isSeen()) return { isSeen, release }
    lock.close()
  }
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino
