import type { Message, OutboxEntry } from '../../../src/client/index.ts'
import { type Conversation, conversationKey, conversationOf } from './conversations.ts'

/** One line of a feed. */
export type Row =
  | { kind: 'recipient'; key: string; conversation: Conversation; id: number }
  | { kind: 'date'; key: string; time: number }
  | { kind: 'unread'; key: string }
  | MessageRow
  | { kind: 'outgoing'; key: string; entry: OutboxEntry }

export interface MessageRow {
  kind: 'message'
  key: string
  message: Message
  /** Whether the sender is shown, which is not repeated for consecutive messages. */
  withSender: boolean
}

export interface RowOptions {
  own: number
  /** Whether each change of conversation is shown; false if there is only one. */
  mixed: boolean
  /** The first message that was unread when the feed was opened. */
  unreadFrom: number | undefined
}

/** The sender isn't shown again within this time, in seconds. */
const GROUP_SECONDS = 600

/** Returns the rows of these messages. An unchanged row is the same object as in `before`. */
export function rowsOf(messages: readonly Message[], options: RowOptions, before: ReadonlyMap<string, Row>): Row[] {
  const { own, mixed, unreadFrom } = options
  const rows: Row[] = []
  let last: Message | undefined
  let lastConversation: string | undefined
  const put = (row: Row) => {
    const known = before.get(row.key)
    rows.push(known && isSame(known, row) ? known : row)
  }
  for (const message of messages) {
    const conversation = conversationOf(message, own)
    const key = conversationKey(conversation)
    const newConversation = mixed && key !== lastConversation
    const newDay = !last || dayOf(last.timestamp) !== dayOf(message.timestamp)
    const isFirstUnread = message.id === unreadFrom
    if (newConversation) put({ kind: 'recipient', key: `to-${message.id}`, conversation, id: message.id })
    if (newDay) put({ kind: 'date', key: `day-${message.id}`, time: message.timestamp })
    if (isFirstUnread) put({ kind: 'unread', key: 'unread' })
    const goesOn =
      last?.sender_id === message.sender_id &&
      message.timestamp - last.timestamp < GROUP_SECONDS &&
      !last.is_me_message &&
      !message.is_me_message
    const withSender = newConversation || newDay || isFirstUnread || !goesOn
    put({ kind: 'message', key: `m-${message.id}`, message, withSender })
    last = message
    lastConversation = key
  }
  return rows
}

function isSame(a: Row, b: Row): boolean {
  if (a.kind === 'message' && b.kind === 'message') {
    return a.withSender === b.withSender && (a.message === b.message || isSameText(a.message, b.message))
  }
  if (a.kind === 'recipient' && b.kind === 'recipient') {
    return conversationKey(a.conversation) === conversationKey(b.conversation)
  }
  if (a.kind === 'date' && b.kind === 'date') return a.time === b.time
  return a.kind === 'unread' && b.kind === 'unread'
}

/** A message that was fetched again is another object. */
const isSameText = (a: Message, b: Message): boolean => JSON.stringify(a) === JSON.stringify(b)

const dayOf = (seconds: number): string => new Date(seconds * 1000).toDateString()
