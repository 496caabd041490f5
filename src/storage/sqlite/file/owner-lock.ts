import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'

/**
 * Takes the database for this process alone; throws SQLITE_BUSY where another one has it. The system releases it when
 * the process ends, however it ends.
 *
 * It is SQLite's exclusive lock on an empty file beside the database, not on the database itself: that one stays open
 * to readers of other threads, and to programs that follow its log.
 */
export function takeOwnership(file: string): { release(): void } {
  const path = `${file}.owner`
  for (;;) {
    // Made first, so that its inode is known before it is opened. @NOTE one that exists must not be opened and closed
    // here: that would release the locks this process has on it.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    const before = inodeOf(path)
    // @NOTE timeout 0: waiting for a lock would stop the event loop.
    const lock = new Database(path, { timeout: 0 })
    try {
      lock.exec('begin exclusive')
    } catch (error) {
      lock.close()
      throw error
    }
    const release = () => {
      // While it is locked, so that whoever opened it before finds it gone, and whoever comes later makes a new one.
      rmSync(path, { force: true })
      lock.close()
    }
    // The former owner may have removed it between opening and locking: then this lock is on a file nobody else sees.
    if (before !== undefined && before === inodeOf(path)) return { release }
    lock.close()
  }
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino
