import { StorageError } from '../errors.ts'
import { INSTALL_PG } from './pg-package.ts'

/** The SQLSTATE of PostgreSQL, or the error code of Node. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Classes 08 and 57P, a server that only reads because another took over, and failures of the network. */
const GONE = /^(08|57P0|25006|E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND))/
const GONE_TEXT = /^(Connection terminated|Client has encountered a connection error|timeout ex|Client was closed)/

/** Whether the database cannot be reached, for now: the request may be tried again. */
export const isGone = (error: unknown): boolean =>
  GONE.test(codeOf(error)) || (error instanceof Error && GONE_TEXT.test(error.message))

const textOf = (cause: unknown): string => (cause instanceof Error && cause.message) || codeOf(cause) || String(cause)

/** Translates what an operator must know into a sentence; other errors are returned unchanged. */
export function translate(error: unknown, name: string): unknown {
  if (error instanceof StorageError) return error
  if (isGone(error)) {
    return new StorageError('unavailable', `The database ${name} cannot be reached (${textOf(error)}).`, {
      cause: error,
    })
  }
  if (codeOf(error) === '53100') {
    return new StorageError('full', 'The disk of the database is full; nothing was stored.', { cause: error })
  }
  if (codeOf(error) === '53300') {
    return new StorageError('unavailable', `The database ${name} takes no more connections.`, { cause: error })
  }
  if (codeOf(error) === '55P03') {
    return new StorageError('busy', `Another process holds the writes of ${name}; nothing was stored.`, {
      cause: error,
    })
  }
  return error
}

/** A failure to open the database, in a sentence. */
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

export const storeClosed = (): StorageError => new StorageError('closed', 'the store is closed')

/** Those who wait for their turn while a transaction, here or at another node, goes on for so long. */
export const waitedTooLong = (name: string): StorageError =>
  new StorageError('busy', `Other writes of ${name} have not ended for too long; nothing was stored.`)
