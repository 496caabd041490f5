import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** What a bot is besides an account. One from before this table has no row, and nothing but the defaults. */
export interface BotTable {
  user_id: number
  /** Names, as the owner gave them: an integration that names no stream sends to the first. */
  default_sending_stream: string | null
  default_events_register_stream: string | null
  default_all_public_streams: Flag
  /** JSON: an object of texts. */
  config_data: string
  /** Where an outgoing webhook posts to; null for bots of other types. */
  payload_url: string | null
  /** 1 generic, 2 Slack's form. */
  interface: number | null
  /** Sent along, and the key of the signature: the receiver knows us by it. */
  token: string | null
  /** An outgoing webhook gets messages after this one. */
  from_message_id: number | null
}

/** A message that an outgoing webhook is to get; gone when its receiver has taken it. */
export interface OutgoingDeliveryTable {
  id: Generated<number>
  bot_id: number
  /** The message may be gone. */
  message_id: number
  trigger: string
  attempts: number
  /** When it is tried, in seconds. */
  next_at: number
  /** Given up. */
  failed: Flag
  /** What went wrong at the last attempt. */
  failure: string | null
  created_at: number
}

/** A request of another service to an incoming webhook. The last few of each bot are kept. */
export interface IncomingDeliveryTable {
  id: Generated<number>
  bot_id: number
  integration: string
  /** In the words of the service; empty if it doesn't name its events. */
  event: string
  /** `sent`, `ignored` or `failed`. */
  outcome: string
  detail: string
  /** The message may be gone. */
  message_id: number | null
  /** Null a day later. */
  payload: string | null
  created_at: number
}

/** When the owner of a bot was last notified of a problem with it. */
export interface BotNoticeTable {
  bot_id: number
  sent_at: number
}

/** One row: messages up to this one were looked at for outgoing webhooks. */
export interface OutgoingProgressTable {
  message_id: number
}
