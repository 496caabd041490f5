import { StorageError } from '../errors.ts'
import { codeOf, isBusy, isFull } from './errors.ts'
import { newestCopy } from './file/newest-copy.ts'
import { readHolder } from './file/pid-file.ts'

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

export const diskFull = (cause: unknown): StorageError =>
  new StorageError('full', 'The disk is full; nothing was stored.', { cause })

/** The disk failed, or the file is damaged; in a sentence for the operator. */
export function damaged(file: string, cause: unknown): StorageError {
  const happened = codeOf(cause).startsWith('SQLITE_IOERR')
    ? `The disk of ${file} fails or was removed (${textOf(cause)}; see the system log)`
    : `${file} is damaged, likely by its disk or by another program writing to it (${textOf(cause)})`
  return new StorageError('broken', `${happened}. ${advice(file, 'if it cannot be repaired, restore a backup')}`, {
    cause,
  })
}

/** Somebody took the file away while it was open. */
export const moved = (file: string, path: string): StorageError =>
  new StorageError(
    'broken',
    `${path} was removed, renamed or replaced while this process used it: what it writes now would be lost. ${advice(file, 'put the file back or restore a backup')}`,
  )

function advice(file: string, otherwise: string): string {
  const copy = newestCopy(file)
  return copy
    ? `The newest copy beside it is ${copy.path}, of ${copy.at.toISOString()}.`
    : `There is no copy beside it: ${otherwise}.`
}

export const foreignAwait = (): StorageError =>
  new StorageError(
    'misuse',
    'a write holds the database and awaits something else; only the database may be awaited in one',
  )

export const storeClosed = (): StorageError => new StorageError('closed', 'the store is closed')

export const lockedTooLong = (file: string): StorageError =>
  new StorageError('busy', `Another program has locked ${file} for longer than 5 seconds; nothing was stored.`)

export const notOurs = (file: string, cause?: unknown): StorageError =>
  new StorageError('unsupported', `${file} is not a chat-server database. Nothing was changed.`, { cause })

/** Another process has the database open. */
export function inUse(file: string, cause?: unknown): StorageError {
  const holder = readHolder(file)
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process'
  return new StorageError('busy', `${file} is in use by ${who}. One process owns the file; stop it first.`, { cause })
}

/** Translates a failure to open the file into a sentence; unknown ones are returned unchanged. */
export function openFailure(error: unknown, file: string): unknown {
  const code = codeOf(error)
  if (isBusy(error)) return inUse(file, error)
  if (code === 'SQLITE_NOTADB') return notOurs(file, error)
  if (isFull(error)) return new StorageError('full', `The disk of ${file} is full.`, { cause: error })
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|IOERR_LOCK)|E(ACCES|PERM|ROFS))/.test(code)) {
    const message = `${file} cannot be opened for writing: this user must be able to write and lock the file, and to write its folder.`
    return new StorageError('unsupported', message, { cause: error })
  }
  if (/^SQLITE_(CORRUPT|IOERR)/.test(code)) return damaged(file, error)
  return error
}
