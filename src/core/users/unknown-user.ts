import { drawnAvatarUrl } from '../avatars/drawn-avatar.ts'
import { isoTime } from '../base/times.ts'
import type { Chat } from '../chat.ts'
import { roles } from '../roles.ts'
import type { UserView } from '../shapes/user.ts'
import { placeholderEmail } from './email.ts'

/** What somebody reads in place of the name of a user whom they may not know. */
export const UNKNOWN_USER_NAME = 'Unknown user'

/** The picture of somebody whom the reader may not know. */
export const unknownAvatarUrl = (): string => drawnAvatarUrl({ id: 0, full_name: '' })

/** What a reader is shown of somebody whom they may not know, where a user is named. */
export interface UnknownPerson {
  full_name: string
  email: string
  avatar_url: string
}

export const unknownPerson = (chat: Chat, user_id: number): UnknownPerson => ({
  full_name: UNKNOWN_USER_NAME,
  email: placeholderEmail(chat, user_id),
  avatar_url: unknownAvatarUrl(),
})

/** A user whom the reader may not know, for clients that need one for every id: all but the id is made up. */
export const unknownUserView = (chat: Chat, user_id: number): UserView => ({
  user_id,
  ...unknownPerson(chat, user_id),
  delivery_email: null,
  avatar_version: 1,
  bot_type: null,
  date_joined: isoTime(0),
  is_active: true,
  is_admin: false,
  is_billing_admin: false,
  is_bot: false,
  is_guest: false,
  is_owner: false,
  role: roles.member,
  timezone: '',
  profile_data: {},
})
