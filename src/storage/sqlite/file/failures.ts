import { codeOf, StorageError } from '../../errors.ts'
import { isBusy, isFull } from '../errors.ts'
import { isDatabase, newestCopy } from './newest-copy.ts'
import { readHolder } from './pid-file.ts'

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

export const diskFull = (cause: unknown): StorageError =>
  new StorageError('full', 'The disk is full. Nothing was stored.', { cause })

/** Returns the error for a failed disk or a damaged file, in a sentence for the operator. */
export function damaged(file: string, cause: unknown): StorageError {
  const happened = codeOf(cause).startsWith('SQLITE_IOERR')
    ? `The disk of ${file} failed or was removed (${textOf(cause)}; see the system log)`
    : `${file} is damaged, likely by its disk or by another program writing to it (${textOf(cause)})`
  return new StorageError(
    'broken',
    `${happened}. ${advice(file, 'if the file cannot be repaired, restore a backup')}`,
    {
      cause,
    },
  )
}

/** Returns the error for a file that was removed while it was open. */
export const moved = (file: string, path: string): StorageError =>
  new StorageError(
    'broken',
    `${path} was removed, renamed or replaced while it was in use, so new changes would be lost. ${advice(file, 'put the file back or restore a backup')}`,
  )

/**
 * Returns the error for a log that was removed while its database was open. `saved` says whether the database has
 * everything from it.
 */
export const logTaken = (file: string, log: string, saved: boolean): StorageError => {
  const outcome = saved
    ? `All of its changes were saved to ${file}.`
    : `Some of its changes could not be saved to ${file}. ${advice(file, 'put the log back')}`
  return new StorageError(
    'broken',
    `${log} was removed, renamed or replaced while it was in use, so this process has to stop. ${outcome}`,
  )
}

export const cutShort = (file: string, path: string, bytes: number): StorageError =>
  new StorageError(
    'broken',
    `${path} was cut to ${bytes} bytes by another program or by its disk while it was in use. Its newest changes may be lost. ${advice(file, 'restore a backup')}`,
  )

export const lockTaken = (file: string): StorageError =>
  new StorageError(
    'broken',
    `${file}.owner was removed or replaced while this process used ${file}. Another process may have opened the database, so this one has to stop. Don't delete lock files: they are released when their process exits.`,
  )

export const changedElsewhere = (file: string): StorageError =>
  new StorageError(
    'broken',
    `Another program changed ${file} while this process used it, so this process has to stop. Stored data is intact. Start the server again when no other program writes to the file.`,
  )

export const logForeign = (file: string, log: string, state: string): StorageError =>
  new StorageError(
    'unsupported',
    `${log} does not belong to ${file}. SQLite would apply it and destroy the file. Nothing was changed. If ${file} is a backup that was copied here, move ${log} away, or use chat-server restore, which does this for you. If the two files do belong together, empty ${state}.`,
  )

/** How far a table got, and how far it was before. */
interface Lost {
  name: string
  is: number
  was: number
}

const upTo = ({ name, is, was }: Lost, at: string): string =>
  `its newest ${name} is ${is}, but ${was} was already stored at ${at}`

export function logMissing(file: string, lost: readonly Lost[], at: string, state: string): StorageError {
  const what = lost.map(({ name, is, was }) => `the ${was - is} newest ${name}s`).join(' and ')
  return new StorageError(
    'broken',
    `${file}-wal is missing, although ${file} was not closed. Without it, ${what} stored by ${at} are lost. Put ${file}-wal back, or empty ${state} to start without them.`,
  )
}

/** Describes a log that was cut short, without a period. */
export const logCutShort = (file: string, lost: readonly Lost[], at: string, open: boolean): string =>
  `${open ? `${file}-wal ends early` : `${file} is an older version`}: ${lost.map((each) => upTo(each, at)).join('; ')}`

function advice(file: string, otherwise: string): string {
  const copy = newestCopy(file)
  return copy
    ? `The newest backup next to it is ${copy.path}, from ${copy.at.toISOString()}.`
    : `There is no backup next to it: ${otherwise}.`
}

export const foreignAwait = (): StorageError =>
  new StorageError(
    'misuse',
    'a write is waiting for something other than the database; inside a write, await only database calls',
  )

export const lockedTooLong = (file: string): StorageError =>
  new StorageError('busy', `Another program has locked ${file} for more than 5 seconds. Nothing was stored.`)

export const notOurs = (file: string, cause?: unknown): StorageError =>
  new StorageError('unsupported', `${file} is not a chat-server database. Nothing was changed.`, { cause })

/** Returns the error for a database that another process has open. */
export function inUse(file: string, cause?: unknown): StorageError {
  const holder = readHolder(file)
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process'
  return new StorageError(
    'busy',
    `${file} is in use by ${who}. Only one process can use the file, so stop that one first.`,
    { cause },
  )
}

/** Checks the first bytes of a file that no handle has open. */
function beginsAsDatabase(file: string): boolean {
  try {
    return isDatabase(file)
  } catch {
    return false
  }
}

/** Translates a failure to open the file into a sentence. Unknown errors are returned unchanged. */
export function openFailure(error: unknown, file: string): unknown {
  const code = codeOf(error)
  if (isBusy(error)) return inUse(file, error)
  if (code === 'SQLITE_NOTADB') return beginsAsDatabase(file) ? damaged(file, error) : notOurs(file, error)
  if (isFull(error)) return new StorageError('full', `The disk of ${file} is full.`, { cause: error })
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|IOERR_LOCK)|E(ACCES|PERM|ROFS))/.test(code)) {
    const message = `${file} cannot be opened for writing. This user needs permission to write and lock the file and to write to its folder.`
    return new StorageError('unsupported', message, { cause: error })
  }
  if (/^SQLITE_(CORRUPT|IOERR)/.test(code)) return damaged(file, error)
  return error
}
