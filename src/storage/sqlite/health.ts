import type { StorageError } from '../errors.ts'
import { isDiskFailure, isFull } from './errors.ts'
import { damaged, diskFull } from './failures.ts'

/** Whether the database can still be trusted. */
export interface Health {
  /** Set once the disk has failed or the file is damaged: nothing more may be built on it. */
  readonly broken: StorageError | undefined
  /** Ends all use of the database for this reason. */
  fail(error: StorageError): StorageError
  /** What an error of SQLite is to the callers of the store; notes a failing disk, whoever met it. */
  translate(error: unknown): unknown
}

export function watchHealth(file: string, onBroken: (error: StorageError) => void = () => {}): Health {
  let broken: StorageError | undefined
  const fail = (error: StorageError): StorageError => {
    if (broken) return broken
    broken = error
    onBroken(error)
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
