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

/** A slash command of a bot. */
export interface BotCommandTable {
  id: Generated<number>
  bot_id: number
  /** Without the slash. */
  name: string
  description: string
  usage: string
}

/** A document of another server that a bot announces: entries of a feed, or events of a calendar. */
export interface FeedTable {
  id: Generated<number>
  bot_id: number
  /** `feed` or `calendar`. */
  kind: string
  url: string
  stream_id: number
  topic: string
  interval_minutes: number
  /** Only for a calendar: when it reminds of an event. */
  minutes_before: number | null
  /** Time of the next request, in seconds. */
  next_at: number
  /** Of the last request that succeeded. */
  checked_at: number | null
  /** As the server sent them with the last document. */
  etag: string | null
  last_modified: string | null
  /** Events of a calendar are stored up to this time. */
  expanded_to: number | null
  /** Requests that failed since the last one that succeeded. */
  failures: number
  failure: string | null
}

/** An entry of a feed that was announced, or an event that was or will be. */
export interface FeedEntryTable {
  feed_id: number
  /** A digest of what identifies the entry. */
  entry_key: string
  seen_at: number
  /** When to remind of it; null after that, and for entries of feeds. */
  due_at: number | null
  /** The text of a reminder to come. */
  content: string | null
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
