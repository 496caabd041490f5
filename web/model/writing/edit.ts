import { signal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'

/** The message that is edited in its place, with its Markdown. */
export const editing = signal<{ id: number; text: string } | undefined>(undefined)

export async function beginEdit({ client }: Session, id: number): Promise<void> {
  const { message } = await client.getMessage({ message_id: id, apply_markdown: false, allow_empty_topic_name: true })
  editing.value = { id, text: message.content }
}

export async function saveEdit({ client }: Session, id: number, content: string): Promise<void> {
  await client.updateMessage({ message_id: id, content })
  editing.value = undefined
}

/** Whether the reader may change the text: their own, within the time that the organization allows. */
export function mayEdit({ state }: Session, message: Message, now = Date.now() / 1000): boolean {
  const { realm_allow_message_editing: allowed, realm_message_content_edit_limit_seconds: limit } = state
  if (message.sender_id !== state.user_id || !allowed) return false
  return limit === null || now - message.timestamp < limit
}

/** What the server lets this reader try: it decides in the end. */
export const mayDelete = ({ state }: Session, message: Message): boolean =>
  state.is_admin || message.sender_id === state.user_id

export type Which = 'change_one' | 'change_later' | 'change_all'

export const moveMessages = (
  { client }: Session,
  message_id: number,
  { stream_id, topic, which }: { stream_id: number; topic: string; which: Which },
  before: { stream_id: number },
) =>
  client.updateMessage({
    message_id,
    topic,
    propagate_mode: which,
    ...(stream_id !== before.stream_id && { stream_id }),
  })
