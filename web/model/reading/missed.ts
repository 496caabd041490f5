import type { Message } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import { type Conversation, conversationKey, conversationOf } from './conversations.ts'
import { plainText } from './excerpt.ts'
import { mutesOf } from './unread.ts'

/** What was said in a conversation on one day and is unread. */
export interface MissedThread {
  key: string
  conversation: Conversation
  /** Ascending. */
  ids: readonly number[]
  /** In the order in which they first spoke. */
  senders: readonly { id: number; name: string }[]
  first: string
  last: string
}

export interface MissedDay {
  /** The time of a message on that day, in seconds since 1970. */
  at: number
  threads: readonly MissedThread[]
}

export interface Missed {
  /** Latest first. */
  days: readonly MissedDay[]
  /** Whether there are older unread messages. */
  hasMore: boolean
}

/** The newest unread messages that are looked at. */
const MOST = 500
const LONGEST = 160

/** Fetches the unread messages that aren't muted, by day and conversation. The largest conversations come first. */
export async function fetchMissed({ client, state }: Session): Promise<Missed> {
  const { messages, found_oldest } = await client.getMessages({
    anchor: 'newest',
    num_before: MOST,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'unread' }],
    allow_empty_topic_name: true,
    client_gravatar: true,
  })
  const isMuted = mutesOf(state)
  const wanted = messages.filter((message) => message.type !== 'stream' || !isMuted(message.stream_id, message.subject))
  const byDay = grouped(wanted, ({ timestamp }) => new Date(timestamp * 1000).toDateString())
  const days = [...byDay.values()].map((ofDay): MissedDay => {
    const keyOf = (message: Message) => conversationKey(conversationOf(message, state.user_id))
    const threads = [...grouped(ofDay, keyOf)].map(([key, of]) => threadOf(key, of, state.user_id))
    return { at: ofDay.at(-1)!.timestamp, threads: threads.sort((a, b) => b.ids.length - a.ids.length) }
  })
  return { days: days.sort((a, b) => b.at - a.at), hasMore: !found_oldest }
}

function grouped(messages: readonly Message[], keyOf: (message: Message) => string): Map<string, Message[]> {
  const groups = new Map<string, Message[]>()
  for (const message of messages) {
    const group = groups.get(keyOf(message))
    if (group) group.push(message)
    else groups.set(keyOf(message), [message])
  }
  return groups
}

function threadOf(key: string, messages: readonly Message[], own: number): MissedThread {
  const names = new Map(messages.map(({ sender_id, sender_full_name }) => [sender_id, sender_full_name]))
  return {
    key: `${key} ${messages[0]!.id}`,
    conversation: conversationOf(messages[0]!, own),
    ids: messages.map(({ id }) => id),
    senders: [...names].map(([id, name]) => ({ id, name })),
    first: beginningOf(messages[0]!),
    last: messages.length > 1 ? beginningOf(messages.at(-1)!) : '',
  }
}

const beginningOf = ({ content }: Message): string => plainText(content).replace(/\s+/g, ' ').slice(0, LONGEST)
