import type { ClientState, Message, Narrow } from '../../../src/client/index.ts'
import { narrowAddress } from '../state/address.ts'

/** A place for messages: a topic, or the other users of a direct conversation (the reader if there are none). */
export type Conversation =
  | { type: 'stream'; stream_id: number; topic: string }
  | { type: 'direct'; user_ids: readonly number[] }

/** Equal texts for the same conversation. */
export const conversationKey = (conversation: Conversation): string =>
  conversation.type === 'stream'
    ? `${conversation.stream_id}:${conversation.topic.toLowerCase()}`
    : `dm:${conversation.user_ids.join()}`

/** Returns the others of a direct conversation, ascending. */
export const othersOf = (ids: readonly number[], own: number): number[] => {
  const others = [...new Set(ids)].filter((id) => id !== own).sort((a, b) => a - b)
  return others.length > 0 ? others : [own]
}

export const conversationOf = (message: Message, own: number): Conversation =>
  message.type === 'stream'
    ? { type: 'stream', stream_id: message.stream_id, topic: message.subject }
    : {
        type: 'direct',
        user_ids: othersOf(
          message.display_recipient.map(({ id }) => id),
          own,
        ),
      }

export const narrowOf = (conversation: Conversation): Narrow =>
  conversation.type === 'stream'
    ? [
        { operator: 'channel', operand: conversation.stream_id },
        { operator: 'topic', operand: conversation.topic },
      ]
    : [{ operator: 'dm', operand: conversation.user_ids }]

/** Returns the conversation that a narrow consists of, if any. */
export function conversationIn(narrow: Narrow, own: number): Conversation | undefined {
  if (narrow.some(({ negated }) => negated)) return undefined
  const [first, second] = narrow
  if (narrow.length === 1 && first?.operator === 'dm' && Array.isArray(first.operand)) {
    return { type: 'direct', user_ids: othersOf(first.operand.map(Number), own) }
  }
  if (narrow.length === 2 && first?.operator === 'channel' && second?.operator === 'topic') {
    const stream_id = Number(first.operand)
    return Number.isInteger(stream_id) ? { type: 'stream', stream_id, topic: String(second.operand) } : undefined
  }
  return undefined
}

export const addressOf = (conversation: Conversation, state?: ClientState, near?: number): string =>
  narrowAddress(narrowOf(conversation), near, (id) => (state ? (streamName(state, id) ?? '') : ''))

export const streamName = (state: ClientState, stream_id: number): string | undefined =>
  state.streams.find((stream) => stream.stream_id === stream_id)?.name

/** Returns a topic's name, or the display name of an empty one. */
export const topicName = (topic: string, state: ClientState): string =>
  topic === '' ? state.realm_empty_topic_display_name : topic
