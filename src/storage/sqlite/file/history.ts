import { statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { foldLog } from './checkpoint.ts'
import { epochIn, epochInLog, newEpoch } from './epoch.ts'
import { logCutShort, logForeign, logMissing } from './failures.ts'
import { type FileState, noteState, readState, stateFile, writeState } from './state-file.ts'

/**
 * Tables whose newest ids are noted, because clients remember them. Every write with such an id waits for the disk.
 */
const NOTED = ['message', 'event']

/** Compares a database with the state file beside it, and updates that file while the database is open. */
export interface History {
  /** Why ids that clients have seen may be missing, with the newest ones by table; undefined after it is settled. */
  readonly rollback: Rollback | undefined
  /** Call it when the missing ids have been dealt with. */
  settle(): void
  /** Gives the database a new epoch. */
  renew(): void
  /** Notes the newest ids if they changed. */
  note(): void
  /** Notes that the database file has everything. Call it after the file was closed or its log was saved. */
  end(): void
}

export interface Rollback {
  /** For the operator, without a period. */
  reason: string
  newest: ReadonlyMap<string, number>
}

/** What is known before SQLite opens the file, which may change both the file and its log. */
export interface Remains {
  state: FileState | 'unreadable' | undefined
  log: 'missing' | 'empty' | 'there'
  /** Whether nothing has written to the file since this program closed it. */
  isUnchanged: boolean
}

/**
 * Throws StorageError `unsupported` if the log belongs to another database, since SQLite would write it into this one.
 */
export function readRemains(file: string): Remains {
  const log = `${file}-wal`
  const bytes = sizeOf(log)
  const found = bytes === undefined ? 'missing' : bytes === 0 ? 'empty' : 'there'
  // A new database has no history, even if the state of a removed one remains.
  if (!sizeOf(file)) return { state: undefined, log: found, isUnchanged: false }
  const state = readState(file)
  const isUnchanged = typeof state === 'object' && !state.open && state.closed === closedState(file)
  const remains: Remains = { state, log: found, isUnchanged }
  // Operators empty the state file to say that file and log belong together.
  if (remains.log !== 'there' || state === 'unreadable') return remains
  const epoch = epochIn(file)
  const logged = epochInLog(log)
  const epochs = state ? state.epochs : [epoch]
  if (!epochs.includes(epoch) || (logged !== undefined && !epochs.includes(logged))) {
    throw logForeign(file, log, stateFile(file))
  }
  return remains
}

/** Changes with every write to the file, with every other file in its place, and with its attributes. */
function closedState(file: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].map((value) => value.toString(36)).join(' ')
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size

/**
 * Call it right after SQLite has opened the database. Throws StorageError `broken` if its log is missing and could be
 * put back.
 */
export function openHistory(database: Database.Database, { state, log }: Remains): History {
  const file = database.name
  const epoch = () => Number(database.pragma('user_version', { simple: true }))
  const before = epoch()
  let ids: Database.Statement | undefined
  const known = typeof state === 'object' ? state.newest : {}
  let reason = judge()
  let noted: FileState = { epochs: [before], open: true, newest: newestIds(), at: now(), rollback: reason }

  return {
    get rollback() {
      return reason === undefined ? undefined : { reason, newest: new Map(Object.entries(known)) }
    },
    settle() {
      reason = undefined
    },
    renew() {
      const former = epoch()
      const next = newEpoch()
      write({ epochs: [former, next] })
      database.pragma(`user_version = ${next}`)
      // With the new epoch in the file itself, a log from another time is recognized. If a power failure undoes this, the
      // former epoch is possible again, which is no harm.
      noted = { ...noted, epochs: foldLog(database) ? [next] : [former, next] }
      noteState(file, noted)
    },
    note() {
      const ids = newestIds()
      if (NOTED.every((name) => ids[name] === noted.newest[name])) return
      noted = { ...noted, newest: ids, at: now() }
      noteState(file, noted)
    },
    end() {
      writeState(file, { ...noted, open: false, closed: closedState(file) })
    },
  }

  function write(changes: Partial<FileState>): void {
    noted = { ...noted, ...changes, newest: newestIds(), at: now(), rollback: reason }
    writeState(file, noted)
  }

  function newestIds(): Record<string, number> {
    ids ??= database.prepare("select 1 from sqlite_master where name = 'sqlite_sequence'").get()
      ? database.prepare(
          `select name, seq from sqlite_sequence where name in (${NOTED.map((name) => `'${name}'`).join()})`,
        )
      : undefined
    const rows = (ids?.all() ?? []) as { name: string; seq: number }[]
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
  }

  function judge(): string | undefined {
    if (state === undefined) {
      if (before === 0) return undefined
      return `${file} was copied here without ${stateFile(file)} and may be older than what clients have seen`
    }
    if (state === 'unreadable')
      return `${stateFile(file)} is empty or damaged, so ${file} may be older than what clients have seen`
    if (!state.epochs.includes(before)) return `${file} was replaced since it was last used`
    const found = newestIds()
    const behind = NOTED.filter((name) => (found[name] ?? 0) < (state.newest[name] ?? 0))
    const lost = behind.map((name) => ({ name, is: found[name] ?? 0, was: state.newest[name]! }))
    if (state.open && log === 'missing' && lost.length > 0) throw logMissing(file, lost, state.at, stateFile(file))
    if (state.open && log !== 'there' && lost.length === 0) {
      return `${file}-wal was ${log}, and ${file} was not closed properly: changes made after ${state.at} may be lost`
    }
    if (lost.length > 0) return logCutShort(file, lost, state.at, state.open)
    return state.rollback
  }
}

const now = () => new Date().toISOString()
