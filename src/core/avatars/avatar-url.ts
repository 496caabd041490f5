import { createHash } from 'node:crypto'
import type { Chat } from '../chat.ts'
import type { User } from '../user.ts'
import { drawnAvatarUrl } from './drawn-avatar.ts'

type AvatarOwner = Pick<User, 'id' | 'email' | 'full_name' | 'avatar_source' | 'avatar_version'>

const GRAVATAR = 'https://secure.gravatar.com/avatar/'

/**
 * The address of a user's avatar. Without an uploaded one it is drawn from their initials; where the chat's option
 * `gravatar` is on, it comes from gravatar.com instead.
 */
export function avatarUrl({ options }: Chat, user: AvatarOwner): string {
  const { id, avatar_source, avatar_version } = user
  if (avatar_source === 'U') return `/user_avatars/1/${id}.png?version=${avatar_version}`
  if (!options.gravatar) return drawnAvatarUrl(user)
  const hash = createHash('md5').update(user.email.toLowerCase()).digest('hex')
  return `${GRAVATAR}${hash}?d=identicon&version=${avatar_version}`
}

/** The same for one reader: null for a Gravatar where the reader computes its address (specification, User record). */
export const shownAvatarUrl = (url: string, client_gravatar: boolean): string | null =>
  client_gravatar && url.startsWith(GRAVATAR) ? null : url
