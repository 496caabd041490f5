import { codeOf, StorageError } from '../errors.ts'
import { INSTALL_PG } from './pg-package.ts'

/** Classes 08 and 57P, a server that became read-only because another took over, and network failures. */
const GONE = /^(08|57P0|25006|E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND))/
const GONE_TEXT = /^(Connection terminated|Client has encountered a connection error|timeout ex|Client was closed)/

/** Returns whether the database can't be reached for now, so that the request may be repeated. */
export const isGone = (error: unknown): boolean =>
  GONE.test(codeOf(error)) || (error instanceof Error && GONE_TEXT.test(error.message))

const textOf = (cause: unknown): string => (cause instanceof Error && cause.message) || codeOf(cause) || String(cause)

/** Translates errors that operators must understand into a sentence. Other errors are returned unchanged. */
export function translate(error: unknown, name: string): unknown {
  if (error instanceof StorageError) return error
  if (isGone(error)) {
    return new StorageError('unavailable', `The database ${name} cannot be reached (${textOf(error)}).`, {
      cause: error,
    })
  }
  if (codeOf(error) === '53100') {
    return new StorageError('full', "The database's disk is full. Nothing was stored.", { cause: error })
  }
  if (codeOf(error) === '53300') {
    return new StorageError('unavailable', `The database ${name} doesn't accept more connections.`, { cause: error })
  }
  if (codeOf(error) === '55P03') {
    return new StorageError('busy', `Another process is holding the write lock of ${name}. Nothing was stored.`, {
      cause: error,
    })
  }
  return error
}

/** Translates a failure to open the database into a sentence. */
export function openFailure(error: unknown, name: string): unknown {
  const code = codeOf(error)
  if (code === 'ERR_MODULE_NOT_FOUND') {
    return new StorageError('unsupported', `PostgreSQL needs the package "pg", which is not installed: ${INSTALL_PG}`, {
      cause: error,
    })
  }
  if (/^28/.test(code) || code === '3D000' || code === '42501') {
    return new StorageError('unsupported', `${name} cannot be used: ${textOf(error)}.`, { cause: error })
  }
  return translate(error, name)
}

/** For writes that waited too long behind a transaction of this node or another. */
export const waitedTooLong = (name: string): StorageError =>
  new StorageError('busy', `Other writes to ${name} took too long. Nothing was stored.`)
