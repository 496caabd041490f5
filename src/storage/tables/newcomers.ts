import type { Generated } from 'kysely'

/** What a personal setting of new accounts is at first, where it is not the server's own default. `value` is JSON. */
export interface UserSettingDefaultTable {
  name: string
  value: string
}

/** Streams that new users are offered together. */
export interface DefaultStreamGroupTable {
  id: Generated<number>
  name: string
  description: string
  /** A JSON list. */
  stream_ids: string
}

/** Something that clients show a newcomer once, and this one has seen. */
export interface OnboardingStepTable {
  user_id: number
  step: string
  seen_at: number
}

/** A device that push notifications could be sent to. */
export interface PushTokenTable {
  id: Generated<number>
  user_id: number
  kind: 'apns' | 'gcm'
  token: string
  /** Of Apple's. */
  app_id: string | null
  created_at: number
}
