import type { StoredFile } from '../access/files.ts'
import { seconds } from '../kernel/base/clock.ts'
import { TEMPORARY_LINK_SECONDS } from '../kernel/base/limits.ts'
import { isSameSecret } from '../kernel/base/same-secret.ts'
import type { Chat } from '../kernel/chat.ts'
import { forbidden } from '../kernel/errors.ts'
import { servedPath } from '../kernel/public-url.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { UPLOADS_PATH } from './names.ts'

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const signature = (chat: Chat, path: string, expires: string): string =>
  secretsOf(chat).digest(JSON.stringify(['temporary link to a file', path, expires]))

/** Returns an address of a file that works for everyone who has it, for a minute. */
export function temporaryLink(chat: Chat, { path }: Pick<StoredFile, 'path'>): string {
  const expires = String(seconds(chat.clock) + TEMPORARY_LINK_SECONDS)
  const token = tokenFor(chat, path, expires)
  return servedPath(chat, `${UPLOADS_PATH}/temporary/${token}/${encodeURIComponent(nameOf(path))}`)
}

function tokenFor(chat: Chat, path: string, expires: string): string {
  const where = Buffer.from(path.slice(0, path.lastIndexOf('/'))).toString('base64url')
  return `${expires}.${where}.${signature(chat, path, expires)}`
}

/** Returns the path of the file that a temporary address is for. Throws 403 if it is invalid, changed or expired. */
export function pathOfLink(chat: Chat, token: string, name: string): string {
  const [expires = '', where = ''] = token.split('.')
  const path = `${Buffer.from(where, 'base64url').toString()}/${name}`
  // Computed again and compared as a whole, because several texts decode to the same bytes.
  if (!isSameSecret(token, tokenFor(chat, path, expires)) || Number(expires) < seconds(chat.clock))
    throw forbidden('Invalid token')
  return path
}
