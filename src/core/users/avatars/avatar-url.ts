import { hash } from 'node:crypto'
import type { Chat } from '../../kernel/chat.ts'
import { servedPath } from '../../kernel/public-url.ts'
import type { User } from '../../kernel/user.ts'
import { type AvatarSize, drawnAvatarUrl } from './drawn-avatar.ts'
import { geometricAvatarUrl } from './geometric-avatar.ts'
import { userDigests } from './user-digests.ts'

type AvatarOwner = Pick<User, 'id' | 'email' | 'full_name' | 'avatar_source' | 'avatar_version'>

/** Path of uploaded avatars, below the server's own address. */
export const AVATARS_PATH = '/user_avatars/1'

const GRAVATAR = 'https://secure.gravatar.com/avatar/'

/**
 * Returns the address of a user's avatar. Without an upload it is a geometric avatar if the organization had chosen
 * these for new accounts. Otherwise it is the Gravatar of the address that everyone sees, because the digest of a hidden
 * address could be guessed. With the chat's option `initialsAvatars`, initials avatars replace Gravatars.
 */
export function avatarUrl(chat: Chat, user: AvatarOwner, size: AvatarSize = 'small'): string {
  const { id, avatar_source, avatar_version } = user
  if (avatar_source === 'U') {
    const file = `${id}-${signatureOf(chat, id)}${size === 'medium' ? '-medium' : ''}.png`
    return servedPath(chat, `${AVATARS_PATH}/${file}?version=${avatar_version}`)
  }
  if (avatar_source === 'J') return servedPath(chat, geometricAvatarUrl(chat, id, size))
  if (chat.options.initialsAvatars) return servedPath(chat, drawnAvatarUrl(user, size))
  return `${GRAVATAR}${hash('md5', user.email.toLowerCase(), 'hex')}?d=identicon&version=${avatar_version}${size === 'medium' ? '&s=500' : ''}`
}

/** Part of an uploaded avatar's address, so that counting doesn't find the avatars of hidden users. */
const signatureOf = userDigests('avatar of user', (digest) => digest.slice(0, 16))

/**
 * Returns the user and size of an avatar's address, by its last part; undefined for an address that `avatarUrl` never
 * returns.
 */
export function readAvatarFile(chat: Chat, file: string): { user_id: number; size: AvatarSize } | undefined {
  const [, id, signature, medium] = /^(\d{1,15})-([\w-]{16})(-medium)?\.png$/.exec(file) ?? []
  if (id === undefined || signature !== signatureOf(chat, Number(id))) return undefined
  return { user_id: Number(id), size: medium ? 'medium' : 'small' }
}

/**
 * Returns the address for one reader: null for a Gravatar if the reader computes its address (specification, User
 * record).
 */
export const shownAvatarUrl = (url: string, client_gravatar: boolean): string | null =>
  client_gravatar && url.startsWith(GRAVATAR) ? null : url
