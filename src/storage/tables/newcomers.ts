import type { Generated } from 'kysely'

/**
 * The initial value of a personal setting of new accounts, if it differs from the server's default. `value` is JSON.
 */
export interface UserSettingDefaultTable {
  name: string
  value: string
}

/** Streams that are offered to new users together. */
export interface DefaultStreamGroupTable {
  id: Generated<number>
  name: string
  description: string
  /** A JSON list. */
  stream_ids: string
}

/** A hint for new users that this user has seen. */
export interface OnboardingStepTable {
  user_id: number
  step: string
  seen_at: number
}

/** A device that can receive push notifications. */
export interface PushTokenTable {
  id: Generated<number>
  user_id: number
  kind: 'apns' | 'gcm'
  token: string
  /** Only for Apple devices. */
  app_id: string | null
  created_at: number
}
