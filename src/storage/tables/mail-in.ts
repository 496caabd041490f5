import type { Generated } from 'kysely'

/** The address that answers a missed-message email. Its token is made from the secret, so that a copied file has none. */
export interface ReplyAddressTable {
  id: Generated<number>
  /** Keyed digest of the token. */
  digest: string
  /** Only this account can write by it. */
  user_id: number
  /** The newest message of the email. An answer goes to where it is by then. */
  message_id: number
  /** Where the message was, in case it was deleted. */
  conversation_id: number
  topic_id: number | null
  expires_at: number
}

/** An address whose email goes to a channel. */
export interface ChannelAddressTable {
  id: Generated<number>
  /** Keyed digest of the token. */
  digest: string
  stream_id: number
  /** Who asked for it. Email arrives while this person may post in the channel. */
  user_id: number
  /** Who posts: the person, a bot of theirs, or the Email Gateway bot. */
  sender_id: number
  /** Part of the token, together with the chat's secret. */
  nonce: string
  created_at: number
}

/** An email that arrived at an address, so that a second copy changes nothing. */
export interface MailReceivedTable {
  /** Keyed digest of the address and the Message-ID. */
  digest: string
  /** Digest of the address's token. */
  address: string
  outcome: 'posted' | 'ignored' | 'reported' | 'bounced'
  /** The message that was posted. It may have been deleted. */
  message_id: number | null
  received_at: number
}
