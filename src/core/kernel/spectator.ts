import { roles } from './roles.ts'
import type { User } from './user.ts'

/** The reader without an account: like a guest without streams and conversations. No account has this id. */
export const spectator: User = {
  id: 0,
  email: '',
  delivery_email: '',
  email_shown_to: 0,
  email_key: '',
  full_name: 'Anonymous User',
  name_key: '',
  role: roles.guest,
  is_active: 1,
  bot_type: null,
  bot_owner_id: null,
  is_system_bot: 0,
  date_joined: 0,
  timezone: '',
  avatar_source: 'G',
  avatar_version: 1,
  avatar_blob_id: null,
  is_deleted: 0,
}

export const isSpectator = (user: Pick<User, 'id'>): boolean => user.id === spectator.id
