import { existsSync, lstatSync, mkdtempSync, readlinkSync, rmdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { realFile } from '../storage/index.ts'

/** Longest path of a Unix socket that every system allows. */
const MAX_SOCKET_PATH = 100
const OTHERS_MAY_WRITE = 0o002
const PRIVATE_SOCKET = /\/chat-server-[^/]+\/admin\.sock$/

/** The address of the process that has a database open: a socket, or a symbolic link to one. */
export const socketFile = (database: string): string => `${resolve(realFile(database))}.sock`

export interface SocketPlace {
  /** Path to listen on. */
  path: string
  /** Removes what `makePlace` created; the socket itself is removed by its server. */
  remove(): void
}

/**
 * Prepares the path of a socket beside the database. If that path is too long for a socket, or others can write to the
 * folder, the socket is in a new private folder, with a symbolic link beside the database.
 */
export function makePlace(database: string): SocketPlace {
  const file = socketFile(database)
  // A killed process left it. This process has the database open, so no other does.
  removeSocket(file)
  const folder = dirname(file)
  const isPublic = (statSync(folder).mode & OTHERS_MAY_WRITE) !== 0
  if (!isPublic && Buffer.byteLength(file) <= MAX_SOCKET_PATH)
    return { path: file, remove: () => rmSync(file, { force: true }) }
  const own = mkdtempSync(join(tmpdir(), 'chat-server-'))
  const path = join(own, 'admin.sock')
  symlinkSync(path, file)
  return {
    path,
    remove() {
      rmSync(file, { force: true })
      removePrivate(path)
    },
  }
}

function removeSocket(file: string): void {
  const target = linkTarget(file)
  rmSync(file, { force: true })
  if (target) removePrivate(target)
}

/** The target of a link created by `makePlace`; undefined for anything else. */
function linkTarget(file: string): string | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined
  const target = readlinkSync(file)
  return PRIVATE_SOCKET.test(target) ? target : undefined
}

function removePrivate(socket: string): void {
  if (!existsSync(dirname(socket))) return
  rmSync(socket, { force: true })
  rmdirSync(dirname(socket))
}

/**
 * The socket of the process that has a database open; undefined if there is none. Throws when another user
 * created it, since commands contain passwords.
 */
export function findSocket(database: string): string | undefined {
  const file = socketFile(database)
  const path = linkTarget(file) ?? file
  const socket = lstatSync(path, { throwIfNoEntry: false })
  if (!socket?.isSocket()) return undefined
  // The superuser may use a server that runs as the database's owner, but no other user's.
  const me = process.getuid?.()
  const trusted = me === 0 ? [0, statSync(database).uid] : [me]
  if (me !== undefined && !trusted.includes(socket.uid)) {
    throw new Error(
      `${path} belongs to user ${socket.uid}, not to the owner of ${database}. Refusing to send commands to it`,
    )
  }
  return path
}
