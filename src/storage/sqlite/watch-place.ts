import { type Stats, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import type { StorageError } from '../errors.ts'
import { timers } from '../timers.ts'
import { foldLog, framesInLog } from './file/checkpoint.ts'
import { changedElsewhere, cutShort, lockTaken, logTaken, moved } from './file/failures.ts'
import { linksProblem } from './file/hard-links.ts'
import type { History } from './file/history.ts'
import type { Ownership } from './file/owner-lock.ts'
import type { Health } from './health.ts'
import type { Snapshots } from './snapshots.ts'

const CHECK_MS = 500
const LOG_HEADER = 32
const FRAME_HEADER = 24

/** Notices changes by people and other programs to the files of a database in use that would lose its writes. */
export interface PlaceWatch {
  /** Throws StorageError `broken` if the log is gone. One system call, before each commit. */
  assertLog(): void
  /**
   * Throws StorageError `broken` if the file is gone. One system call, after each commit and before it is
   * acknowledged.
   */
  assertInPlace(): void
  /** Makes the watch's regular check now. Throws StorageError `broken` if it fails, for example for a truncated file. */
  look(): void
  stop(): void
}

interface Watched {
  database: Database.Database
  health: Health
  ownership: Ownership
  history: History
  snapshots: Snapshots
  warn: (text: string) => void
}

/** Call it for an open database that has written to its log. */
export function watchPlace({ database, health, ownership, history, snapshots, warn }: Watched): PlaceWatch {
  const file = database.name
  const log = `${file}-wal`
  const pragma = (name: string) => Number(database.pragma(name, { simple: true }))
  const opened = { file: statSync(file), log: statSync(log) }
  const epoch = pragma('user_version')
  const frameBytes = FRAME_HEADER + pragma('page_size')
  let { size } = opened.file
  let logSize = opened.log.size
  let version = pragma('data_version')
  let warned = false
  let unexplained = false

  function assertInPlace(): Stats {
    const found = statSync(file, { throwIfNoEntry: false })
    if (isSame(found, opened.file)) return found
    throw health.fail(moved(file, file))
  }

  function assertLog(): void {
    const found = statSync(log, { throwIfNoEntry: false })
    if (!isSame(found, opened.log)) throw saveLog()
    // A replicator may also empty the log, after the file has everything from it.
    if (found.size < logSize && isCut() && isCut()) throw health.fail(cutShort(file, log, found.size))
    logSize = found.size
  }

  /** SQLite still has the log open, so its content can be saved to the file if the file's name still leads there. */
  function saveLog(): StorageError {
    if (!isSame(statSync(file, { throwIfNoEntry: false }), opened.file)) return health.fail(moved(file, log))
    if (fold()) return health.fail(logTaken(file, log, true))
    return health.fail(logTaken(file, log, false), async () => {
      // Readers of snapshots keep the log from being read to its end.
      await snapshots.close()
      return fold() ? logTaken(file, log, true) : undefined
    })
  }

  function fold(): boolean {
    if (!foldLog(database)) return false
    history.note()
    history.end()
    return true
  }

  function isCut(): boolean {
    const frames = framesInLog(database)
    const found = statSync(log, { throwIfNoEntry: false })
    return frames > 0 && found !== undefined && found.size < LOG_HEADER + frames * frameBytes
  }

  function assertAlone(): void {
    if (!ownership.isSeen()) throw health.fail(lockTaken(file))
    const now = pragma('data_version')
    const changed = now !== version
    version = now
    if (!changed && !unexplained) return
    // A replicator writes to its own tables. Another server changes the epoch.
    const replicated = database.prepare("select 1 from sqlite_master where name glob '_litestream_*'").get()
    // The version changes when a write begins, so a replicator's first table may come a moment later.
    const mayExplain = replicated || !unexplained
    if (!mayExplain || pragma('user_version') !== epoch) throw health.fail(changedElsewhere(file))
    unexplained = !replicated
  }

  function look(): void {
    assertLog()
    const found = assertInPlace()
    assertAlone()
    if (found.size < size) throw health.fail(cutShort(file, file, found.size))
    size = found.size
    const problem = found.nlink > 1 && !warned ? linksProblem(file) : undefined
    if (problem) warn(`${problem}. The server won't start again until this is fixed.`)
    warned ||= problem !== undefined
    history.note()
  }

  // Runs without writes too, because readers of a removed file are just as lost.
  const timer = timers.setInterval(() => {
    // A write awaits something other than the database.
    if (database.inTransaction) return
    try {
      if (!health.broken) look()
    } catch (error) {
      health.translate(error)
    }
    if (health.broken) timers.clearInterval(timer)
  }, CHECK_MS)
  timer.unref()
  return { assertLog, assertInPlace, look, stop: () => timers.clearInterval(timer) }
}

const isSame = (found: Stats | undefined, opened: Stats): found is Stats =>
  found?.ino === opened.ino && found.dev === opened.dev
