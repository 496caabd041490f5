import type { OutboxEntry } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import { type Conversation, conversationKey, othersOf } from './conversations.ts'
import type { Row } from './rows.ts'

/** The conversation that an entry of the outbox is for: the page names streams and people by their ids. */
export function entryConversation({ message }: OutboxEntry, own: number): Conversation | undefined {
  const { type, to, topic } = message
  if (type === 'stream') return typeof to === 'number' ? { type, stream_id: to, topic: topic ?? '' } : undefined
  return Array.isArray(to) ? { type, user_ids: othersOf(to.map(Number), own) } : undefined
}

/** The lines of what was sent to a conversation and has not come back as a message yet. */
export function outgoingRows({ outgoing, messages, state }: Session, conversation: Conversation | undefined): Row[] {
  const isHere = (entry: OutboxEntry): boolean => {
    if (entry.id !== undefined && messages.get(entry.id)) return false
    const to = entryConversation(entry, state.user_id)
    return conversation !== undefined && to !== undefined && conversationKey(to) === conversationKey(conversation)
  }
  return outgoing.value.filter(isHere).map((entry) => ({ kind: 'outgoing', key: `out-${entry.local_id}`, entry }))
}
