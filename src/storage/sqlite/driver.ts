import Database from 'better-sqlite3'
import { StorageError } from '../errors.ts'

/** The version of Node-API that the driver is built for. An older Node crashes when it loads the driver. */
const NEEDED_NODE_API = 10

/**
 * Opens a database with the driver. It never waits for a lock, which would block the event loop.
 *
 * @throws StorageError `unsupported` if this Node or machine can't load the driver; otherwise SQLite's error
 */
export function openDatabase(source: string | Buffer): Database.Database {
  if (Number(process.versions.napi) < NEEDED_NODE_API) {
    throw new StorageError(
      'unsupported',
      `The SQLite driver needs Node.js 22.14 or newer. This is ${process.versions.node}.`,
    )
  }
  try {
    return new Database(source, { timeout: 0 })
  } catch (error) {
    throw isLoadFailure(error) ? notLoaded(error) : error
  }
}

const isLoadFailure = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && (error.code === 'ERR_DLOPEN_FAILED' || error.code === 'MODULE_NOT_FOUND')

const notLoaded = (cause: Error): StorageError =>
  new StorageError(
    'unsupported',
    `The SQLite driver can't be loaded by Node.js ${process.versions.node} on ${process.platform}-${process.arch} (${cause.message.split('\n', 1)[0]}). Reinstall chat-server, or build the driver in a clone of its repository: npx node-gyp rebuild --directory node_modules/better-sqlite3`,
    { cause },
  )
