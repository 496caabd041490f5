import type { Generated } from 'kysely'

/**
 * A browser that receives notifications while none of its pages is open. It ends with the session in which it was
 * switched on.
 */
export interface WebPushSubscriptionTable {
  id: Generated<number>
  user_id: number
  key_id: number
  /** The address of the browser's push service for this browser. */
  endpoint: string
  /** The browser's public key and secret, in base64url. Only the browser can decrypt what is sent. */
  p256dh: string
  auth: string
  /** The browser is notified of messages after this one. */
  from_message_id: number
  created_at: number
}

/** A message to notify a browser of. The row is deleted after the push service has accepted it. */
export interface WebPushDeliveryTable {
  id: Generated<number>
  subscription_id: number
  /** The message may have been deleted. */
  message_id: number
  attempts: number
  /** Time of the next attempt, in seconds. */
  next_at: number
}

/** One row: messages up to this one were checked. */
export interface WebPushProgressTable {
  message_id: number
}
