import type { Generated } from 'kysely'

/** A browser that is sent notifications while no page of it is open. It ends with the session it was switched on in. */
export interface WebPushSubscriptionTable {
  id: Generated<number>
  user_id: number
  key_id: number
  /** Where the browser's push service takes messages for it. */
  endpoint: string
  /** The browser's public key and its secret, in base64url: only it can read what is sent. */
  p256dh: string
  auth: string
  /** It is sent what comes after this message. */
  from_message_id: number
  created_at: number
}

/** A message that a browser is to be notified of; gone when the push service has taken it. */
export interface WebPushDeliveryTable {
  id: Generated<number>
  subscription_id: number
  /** The message may be gone. */
  message_id: number
  attempts: number
  /** When it is tried, in seconds. */
  next_at: number
}

/** One row: messages up to this one were looked at. */
export interface WebPushProgressTable {
  message_id: number
}
