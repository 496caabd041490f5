import { signal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import type { Row } from '../reading/rows.ts'
import type { Session } from '../state/session.ts'

/** The message that is edited in its place, with its Markdown as the server has it. */
export const editing = signal<{ id: number; text: string } | undefined>(undefined)

/** Changes that were begun and neither saved nor given up, by the message. */
const begun = new Map<number, string>()

export async function beginEdit({ client }: Session, id: number): Promise<void> {
  const { message } = await client.getMessage({ message_id: id, apply_markdown: false, allow_empty_topic_name: true })
  editing.value = { id, text: message.content }
}

/** Edits the reader's last message of these lines; false where there is none that can be. */
export function beginEditOfLast(session: Session, rows: readonly Row[]): boolean {
  const last = rows.findLast((row) => row.kind === 'message' && row.message.sender_id === session.state.user_id)
  if (last?.kind !== 'message' || !mayEdit(session, last.message)) return false
  void beginEdit(session, last.message.id).catch(() => {})
  return true
}

/** The text of the edit as it is now: what was begun before, where something was. */
export const editedText = (id: number): string => begun.get(id) ?? editing.peek()?.text ?? ''

export function writeEdit(id: number, text: string): void {
  begun.set(id, text)
}

/** Gives the changes up. */
export function endEdit(id: number): void {
  begun.delete(id)
  editing.value = undefined
}

/** Closes the box, and keeps the changes for the next time. Returns whether there are any. */
export function leaveEdit(id: number): boolean {
  const isChanged = begun.has(id) && begun.get(id) !== editing.peek()?.text
  if (!isChanged) begun.delete(id)
  editing.value = undefined
  return isChanged
}

export async function saveEdit({ client }: Session, id: number, content: string): Promise<void> {
  await client.updateMessage({ message_id: id, content })
  endEdit(id)
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

const RESOLVED = '✔ '

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED)

/** The name of a topic as it is when it is marked as done, or no more. */
export const resolvedName = (topic: string, longest: number): string =>
  isResolved(topic) ? topic.replace(/^[✔ ]+/u, '') : [...(RESOLVED + topic)].slice(0, longest).join('')
