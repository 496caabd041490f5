import type Database from 'better-sqlite3'

interface Checkpoint {
  busy: number
  /** Frames in the log, and how many of them are in the file. */
  log: number
  checkpointed: number
}

const checkpoint = (database: Database.Database, mode: 'passive' | 'noop'): Checkpoint =>
  (database.pragma(`wal_checkpoint(${mode})`) as [Checkpoint])[0]

/** Copies the log to the file without waiting for readers. Returns whether the file now has everything. */
export function foldLog(database: Database.Database): boolean {
  const { busy, log, checkpointed } = checkpoint(database, 'passive')
  return busy === 0 && log === checkpointed
}

/** Returns how many frames the log must have. */
export const framesInLog = (database: Database.Database): number => checkpoint(database, 'noop').log
