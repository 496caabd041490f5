import { createHash } from 'node:crypto'
import { isAdministrator, isGuest, isOwner } from '../roles.ts'
import type { UserView } from '../shapes/user.ts'
import type { User } from '../user.ts'

export interface UserViewOptions {
  client_gravatar: boolean
}

/** A user as the API shows them (specification, User record). */
export function userView(user: User, { client_gravatar }: UserViewOptions): UserView {
  const isBot = user.bot_type !== null
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.full_name,
    avatar_url: avatarUrl(user, client_gravatar),
    avatar_version: user.avatar_version,
    bot_type: user.bot_type,
    ...(isBot && { bot_owner_id: user.bot_owner_id }),
    date_joined: isoTime(user.date_joined),
    is_active: user.is_active === 1,
    is_admin: isAdministrator(user),
    is_billing_admin: false,
    is_bot: isBot,
    is_guest: isGuest(user),
    is_owner: isOwner(user),
    role: user.role,
    timezone: user.timezone,
    ...(user.is_system_bot === 1 && { is_system_bot: true }),
  }
}

export const GRAVATAR = 'https://secure.gravatar.com/avatar/'

/** null for users without an uploaded picture when the client computes gravatar URLs itself. */
export function avatarUrl(
  user: Pick<User, 'id' | 'email' | 'avatar_source' | 'avatar_version'>,
  client_gravatar: boolean,
) {
  if (user.avatar_source === 'U') return `/user_avatars/1/${user.id}.png?version=${user.avatar_version}`
  if (client_gravatar) return null
  const hash = createHash('md5').update(user.email.toLowerCase()).digest('hex')
  return `${GRAVATAR}${hash}?d=identicon&version=${user.avatar_version}`
}

/** ISO 8601 with an offset and no fraction, as clients parse it. */
export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00')
