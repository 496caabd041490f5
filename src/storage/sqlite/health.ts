import type { StorageError } from '../errors.ts'
import { isDiskFailure, isFull } from './errors.ts'
import { damaged, diskFull } from './file/failures.ts'

/** Whether the database can still be trusted. */
export interface Health {
  /** Set once the disk has failed or the file is damaged. Nothing may be read or written after that. */
  readonly broken: StorageError | undefined
  /**
   * Stops all use of the database, for this reason. `save` first does what is still possible, and may return a better
   * reason.
   */
  fail(error: StorageError, save?: () => Promise<StorageError | undefined>): StorageError
  /** Translates an error of SQLite for the store's callers, and records a failing disk. */
  translate(error: unknown): unknown
}

export function watchHealth(file: string, onBroken: (error: StorageError) => void = () => {}): Health {
  let broken: StorageError | undefined
  const fail: Health['fail'] = (error, save) => {
    if (broken) return broken
    broken = error
    if (!save) onBroken(error)
    else {
      void save()
        .catch(() => undefined)
        .then((better) => {
          broken = better ?? error
          onBroken(broken)
        })
    }
    return error
  }
  return {
    get broken() {
      return broken
    },
    fail,
    translate(cause) {
      if (isFull(cause)) return diskFull(cause)
      if (!isDiskFailure(cause)) return cause
      return fail(damaged(file, cause))
    },
  }
}
