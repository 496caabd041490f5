import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

export interface UserTable {
  id: Generated<number>
  /** As others are shown it: the address of the account, or a made-up one where that is not for everybody. */
  email: string
  /** Where mail would go, and what one signs in with. */
  delivery_email: string
  /** The role of the least powerful that are shown the real address; 0 for nobody. */
  email_shown_to: Generated<number>
  /** Of the delivery address, folded. */
  email_key: string
  full_name: string
  name_key: string
  role: number
  is_active: Flag
  /** null for people; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: number | null
  bot_owner_id: number | null
  /** The server's own account; listed under cross_realm_bots. */
  is_system_bot: Flag
  date_joined: number
  timezone: string
  avatar_source: 'G' | 'U'
  avatar_version: number
  avatar_blob_id: number | null
  /** The same picture, larger. */
  avatar_medium_blob_id: number | null
  password_hash: string | null
}

/** Only values that differ from the default have a row. `value` is JSON. */
export interface UserSettingTable {
  user_id: number
  name: string
  value: string
}

export interface PasswordLinkTable {
  id: Generated<number>
  user_id: number
  /** As that of an API key. */
  digest: string
  created_at: number
  expires_at: number
}

export interface ApiKeyTable {
  id: Generated<number>
  user_id: number
  /** HMAC-SHA256 of the key with the secret that is stored outside the database. */
  digest: string
  /** The program it was issued to; '' for keys from older versions. */
  name: string
  created_at: number
  /** null before its first use. Up to a minute behind, since it is not written with every request. */
  last_used_at: number | null
}

/** A bot's stored entries. */
export interface BotStorageTable {
  user_id: number
  key: string
  value: string
  /** Characters of key and value, for the quota. */
  size: number
}

/** A request that was carried out, and its answer, for clients that repeat it because the answer was lost. */
export interface IdempotencyKeyTable {
  user_id: number
  /** As the client sent it in `Idempotency-Key`. */
  key: string
  /** HMAC-SHA256 of the action's name and its parameters; keyed, because they may include a password. */
  digest: string
  /** JSON. */
  answer: string
  created_at: number
}

export interface AlertWordTable {
  user_id: number
  word: string
  word_key: string
}

export interface MutedUserTable {
  user_id: number
  muted_user_id: number
  muted_at: number
}

export interface UserStatusTable {
  user_id: number
  status_text: string
  emoji_name: string
  emoji_code: string
  /** Empty without an emoji, as are its name and code. */
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji' | ''
  away: Flag
}

export interface PresenceTable {
  user_id: number
  active_at: number | null
  idle_at: number | null
  client: string
  update_id: number
}
