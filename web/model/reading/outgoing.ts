import type { OutboxEntry } from '../../../src/client/index.ts'
import { type Conversation, othersOf } from './conversations.ts'

/** The conversation that an entry of the outbox is for: the page names streams and people by their ids. */
export function entryConversation({ message }: OutboxEntry, own: number): Conversation | undefined {
  const { type, to, topic } = message
  if (type === 'stream') return typeof to === 'number' ? { type, stream_id: to, topic: topic ?? '' } : undefined
  return Array.isArray(to) ? { type, user_ids: othersOf(to.map(Number), own) } : undefined
}
