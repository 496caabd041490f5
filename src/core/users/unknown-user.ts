import { roles } from '../kernel/roles.ts'
import type { UserView } from '../shapes/user.ts'
import { type AvatarSize, drawnAvatarUrl } from './avatars/drawn-avatar.ts'

/** Shown instead of the name of a hidden user. */
export const UNKNOWN_USER_NAME = 'Unknown user'

/** Returns the avatar of a hidden user. */
export const unknownAvatarUrl = (publicUrl: string, size: AvatarSize = 'small'): string =>
  new URL(publicUrl).pathname.replace(/\/$/, '') + drawnAvatarUrl({ id: 0, full_name: '' }, size)

/** Returns the substitute for a hidden email address, at a server's public URL. */
export const placeholderEmail = (publicUrl: string, user_id: number): string =>
  `user${user_id}@${new URL(publicUrl).hostname}`

/** What a reader sees instead of a hidden user's name and avatar. */
export interface UnknownPerson {
  full_name: string
  email: string
  avatar_url: string
}

export const unknownPerson = (publicUrl: string, user_id: number): UnknownPerson => ({
  full_name: UNKNOWN_USER_NAME,
  email: placeholderEmail(publicUrl, user_id),
  avatar_url: unknownAvatarUrl(publicUrl),
})

/**
 * Returns a placeholder for a hidden user, for clients that need a user for every id. Everything but the id is made
 * up. Clients make the same one when they can no longer see a user.
 */
export const unknownUserView = (publicUrl: string, user_id: number): UserView => ({
  user_id,
  ...unknownPerson(publicUrl, user_id),
  delivery_email: null,
  avatar_version: 1,
  bot_type: null,
  date_joined: '1970-01-01T00:00:00+00:00',
  is_active: true,
  is_admin: false,
  is_billing_admin: false,
  is_bot: false,
  is_guest: false,
  is_owner: false,
  role: roles.member,
  timezone: '',
  is_imported_stub: false,
  profile_data: {},
})
