import { statSync } from 'node:fs'
import { moved } from '../failures.ts'
import type { Health } from '../health.ts'

const CHECK_MS = 500

/** Notices when the names of a database in use lead to other files, or to none: what it writes then is lost. */
export interface PlaceWatch {
  /** Throws StorageError `broken`. Two calls of the system; asked after each commit, before it is acknowledged. */
  assertInPlace(): void
  stop(): void
}

/** For an open database that has written to its log. */
export function watchPlace(file: string, health: Health): PlaceWatch {
  const watched = [file, `${file}-wal`].map((path) => ({ path, opened: statSync(path) }))
  function assertInPlace(): void {
    for (const { path, opened } of watched) {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found?.ino !== opened.ino || found.dev !== opened.dev) throw health.fail(moved(file, path))
    }
  }
  // Also where nobody writes: readers of a file that is gone are as lost.
  const timer = setInterval(() => {
    try {
      assertInPlace()
    } catch {
      clearInterval(timer)
    }
  }, CHECK_MS)
  timer.unref()
  return { assertInPlace, stop: () => clearInterval(timer) }
}
