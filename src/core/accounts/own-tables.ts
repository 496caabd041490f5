import type { Tables } from '../../storage/index.ts'

/**
 * Tables whose rows belong to one account and mean nothing without it, by the column with the account's id. They are erased with
 * the account, and they are in an export of what one person set.
 */
export const ownTables = {
  alert_word: 'user_id',
  api_key: 'user_id',
  bot_storage: 'user_id',
  channel_address: 'user_id',
  device: 'user_id',
  draft: 'user_id',
  email_change: 'user_id',
  held_message: 'user_id',
  idempotency_key: 'user_id',
  identity: 'user_id',
  known_device: 'user_id',
  mail_candidate: 'user_id',
  mail: 'user_id',
  muted_user: 'user_id',
  navigation_view: 'user_id',
  onboarding_step: 'user_id',
  passkey: 'user_id',
  passkey_challenge: 'user_id',
  password_link: 'user_id',
  presence: 'user_id',
  profile_value: 'user_id',
  push_token: 'user_id',
  recovery_code: 'user_id',
  reminder: 'user_id',
  reply_address: 'user_id',
  report: 'author_id',
  report_reason: 'user_id',
  restriction: 'user_id',
  saved_snippet: 'user_id',
  scheduled_message: 'sender_id',
  send_receipt: 'sender_id',
  sign_in_ticket: 'user_id',
  sign_on_step: 'user_id',
  terms_acceptance: 'user_id',
  totp: 'user_id',
  trusted_author: 'user_id',
  user_setting: 'user_id',
  user_status: 'user_id',
  user_topic: 'user_id',
  web_push_subscription: 'user_id',
} as const satisfies Partial<Record<keyof Tables, string>>

export type OwnTable = keyof typeof ownTables
export const ownTableNames = Object.keys(ownTables) as OwnTable[]

/** Columns that prove who somebody is, and tables that only serve the server. */
export const secretColumns: ReadonlySet<string> = new Set([
  'digest',
  'sealed',
  'secret',
  'endpoint',
  'p256dh',
  'auth',
  'token',
  'nonce',
  'credential_id',
  'public_key',
  'user_handle',
])
export const internalTables: ReadonlySet<OwnTable> = new Set([
  'idempotency_key',
  'known_device',
  'mail',
  'mail_candidate',
  'passkey_challenge',
  'reply_address',
  'report',
  'trusted_author',
  'send_receipt',
  'sign_in_ticket',
  'sign_on_step',
])
