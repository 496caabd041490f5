import { roles } from '../kernel/roles.ts'
import type { UserView } from '../shapes/user.ts'
import { type AvatarSize, drawnAvatarUrl } from './avatars/drawn-avatar.ts'

/** What somebody reads in place of the name of a user whom they may not know. */
export const UNKNOWN_USER_NAME = 'Unknown user'

/** The picture of somebody whom the reader may not know. */
export const unknownAvatarUrl = (publicUrl: string, size: AvatarSize = 'small'): string =>
  new URL(publicUrl).pathname.replace(/\/$/, '') + drawnAvatarUrl({ id: 0, full_name: '' }, size)

/** The substitute for an address that is not shown to everybody, at a server's public URL. */
export const placeholderEmail = (publicUrl: string, user_id: number): string =>
  `user${user_id}@${new URL(publicUrl).hostname}`

/** What a reader is shown of somebody whom they may not know, where a user is named. */
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
 * A user whom the reader may not know, for clients that need one for every id: all but the id is made up. Clients
 * make the same one when they lose sight of somebody.
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
