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
}
