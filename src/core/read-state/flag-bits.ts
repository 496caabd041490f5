import { sql } from 'kysely'
import type { MessageFlag } from '../shapes/message.ts'

/** Bits of message_flag.flags, for personal and rare flags. Read state is in read ranges. */
export const bits = {
  starred: 1,
  collapsed: 2,
  mentioned: 4,
  has_alert_word: 8,
  topic_wildcard_mentioned: 16,
} as const

/** Further bit of the same column: unread, although the message starts as read for others. No client sees it. */
export const KEPT_UNREAD = 32

export type StoredFlag = keyof typeof bits

const storedFlags = Object.keys(bits) as StoredFlag[]

/** The flags of these bits, as messages and events show them. */
export function flagNames(stored: number, streamWildcard = false): MessageFlag[] {
  const names: MessageFlag[] = storedFlags.filter((name) => stored & bits[name])
  if (streamWildcard) names.push('stream_wildcard_mentioned')
  // Clients older than the two wildcard flags know one flag for both.
  if (streamWildcard || stored & bits.topic_wildcard_mentioned) names.push('wildcard_mentioned')
  return names
}

/** As a condition on rows of `message_flag`; written as in their partial index. */
export const isStarred = sql<boolean>`message_flag.flags % 2 = 1`
