import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

export interface UserTable {
  id: Generated<number>
  /** The address that others see: the account's, or a made-up one if theirs is hidden. */
  email: string
  /** The address for mail and for signing in. */
  delivery_email: string
  /** The least powerful role that sees the real address; 0 for no one. */
  email_shown_to: Generated<number>
  /** The folded delivery address. */
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
  avatar_source: 'G' | 'J' | 'U'
  avatar_version: number
  avatar_blob_id: number | null
  /** The same image, larger. */
  avatar_medium_blob_id: number | null
  password_hash: string | null
  /**
   * When the account set its first password itself; null if it had one before, or the present one came by a link or an
   * administrator.
   */
  first_password_at: number | null
  /** Whether an administrator made it and nobody has signed in to it yet. */
  awaits_sign_in: Generated<Flag>
  /** Whether the person's data was erased. */
  is_deleted: Generated<Flag>
  /**
   * When its owner last proved that they read mail at the address; null if they never did, 0 for accounts from before
   * this was recorded.
   */
  email_verified_at: number | null
}

/** Only values that differ from the default have a row. `value` is JSON. */
export interface UserSettingTable {
  user_id: number
  name: string
  value: string
  /** Whether the user has ever changed it themselves. */
  edited: Flag
}

export interface PasswordLinkTable {
  id: Generated<number>
  user_id: number
  /** Like the digest of an API key. */
  digest: string
  created_at: number
  expires_at: number
  /** The administrator who created it; null for the command line and the set-up link. */
  created_by: number | null
  /** For a link sent by email, the key of the address. It ends when the account gets another address. */
  address_key: string | null
}

export interface ApiKeyTable {
  id: Generated<number>
  user_id: number
  /** HMAC-SHA256 of the key with the secret that is stored outside the database. */
  digest: string
  /** The program it was issued to; '' for keys from older versions. */
  name: string
  /** A browser's session ends after some time, by the organization's settings. A token is limited by its scopes. */
  kind: 'key' | 'session' | 'token'
  created_at: number
  /** null before its first use. Up to a minute behind, because it isn't written at every request. */
  last_used_at: number | null
  /** The network address of the last use, as far behind. */
  last_address: string | null
  /** A digest of the session at the identity provider that it began with; null for all others. */
  provider_session: string | null
  /** When the person last confirmed with a passkey in this session. */
  confirmed_at: number | null
  /** When a token ends, in seconds; null for never. */
  expires_at: number | null
  /** The scopes of a token, separated by spaces; null for keys without limits. */
  scopes: string | null
  /** JSON with the ids of the only channels that a token sends to; null for all. */
  channels: string | null
  /** A bot's key, sealed with the secret outside the database; null for keys that can't be shown. */
  sealed: string | null
}

/** A device that has signed in to an account, so that only new ones are announced. */
export interface KnownDeviceTable {
  id: Generated<number>
  user_id: number
  /** Of the device's name and the range of its address. */
  digest: string
  last_used_at: number
  /** Wrong codes of the second factor since the last right one, and when the last of them came. */
  wrong_codes: Generated<number>
  wrong_at: Generated<number>
}

/** A bot's stored entries. */
export interface BotStorageTable {
  user_id: number
  key: string
  value: string
  /** Characters of key and value, for the quota. */
  size: number
}

/** A completed request and its response, for clients that repeat it because the response was lost. */
export interface IdempotencyKeyTable {
  user_id: number
  /** The client's `Idempotency-Key`. */
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
  /** Whether the two can't write to each other. */
  is_blocked: Generated<Flag>
}

export interface UserStatusTable {
  user_id: number
  status_text: string
  emoji_name: string
  emoji_code: string
  /** Empty without an emoji, like its name and code. */
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
