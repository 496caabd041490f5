import type { OutboxEntry } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import { type Conversation, conversationKey, othersOf } from './conversations.ts'
import type { Row } from './rows.ts'

/** Returns the conversation of an outbox entry. The page names streams and users by id. */
export function entryConversation({ message }: OutboxEntry, own: number): Conversation | undefined {
  const { type, to, topic } = message
  if (type === 'stream') return typeof to === 'number' ? { type, stream_id: to, topic: topic ?? '' } : undefined
  return Array.isArray(to) ? { type, user_ids: othersOf(to.map(Number), own) } : undefined
}

/** Returns the rows of messages sent to a conversation that haven't come back as messages yet. */
export function outgoingRows({ outgoing, messages, state }: Session, conversation: Conversation | undefined): Row[] {
  const isHere = (entry: OutboxEntry): boolean => {
    if (entry.id !== undefined && messages.get(entry.id)) return false
    const to = entryConversation(entry, state.user_id)
    return conversation !== undefined && to !== undefined && conversationKey(to) === conversationKey(conversation)
  }
  return outgoing.value.filter(isHere).map((entry) => ({ kind: 'outgoing', key: `out-${entry.local_id}`, entry }))
}
