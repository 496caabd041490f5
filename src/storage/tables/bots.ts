import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** The settings of a bot besides its account. Bots older than this table have no row and use the defaults. */
export interface BotTable {
  user_id: number
  /** Names, as the owner entered them. An integration without a stream in its address sends to the first. */
  default_sending_stream: string | null
  default_events_register_stream: string | null
  default_all_public_streams: Flag
  /** JSON: an object of texts. */
  config_data: string
  /** The endpoint of an outgoing webhook; null for other types of bots. */
  payload_url: string | null
  /** 1 is the generic format, 2 is Slack's. */
  interface: number | null
  /** Sent with each request, and the key of its signature, so that the receiver recognizes us. */
  token: string | null
  /** An outgoing webhook receives messages after this one. */
  from_message_id: number | null
}

/** A message to deliver to an outgoing webhook. The row is deleted after the receiver has accepted it. */
export interface OutgoingDeliveryTable {
  id: Generated<number>
  bot_id: number
  /** The message may have been deleted. */
  message_id: number
  trigger: string
  attempts: number
  /** Time of the next attempt, in seconds. */
  next_at: number
  /** Whether no more attempts are made. */
  failed: Flag
  /** The error of the last attempt. */
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

/** An integration of this organization. Its texts are Liquid templates. */
export interface WebhookTemplateTable {
  id: Generated<number>
  /** The last part of its address. */
  name: string
  event: string
  topic: string
  content: string
}

/** When the owner of a bot was last notified of a problem with it. */
export interface BotNoticeTable {
  bot_id: number
  problem: string
  sent_at: number
}

/** One row: messages up to this one were checked for outgoing webhooks. */
export interface OutgoingProgressTable {
  message_id: number
}
