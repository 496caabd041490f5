import type { LoggedMessage } from '../../shapes/message.ts'
import type { LoggedEvent } from '../types/table.ts'

/** The members of any event or message: which of them are left out is decided by name and value. */
type Fields = Readonly<Record<string, unknown>>
type MessageEvent = LoggedEvent<'message'>

/** What most messages have, which their rows in the log need not repeat. */
const usualMessage: Fields = {
  is_me_message: false,
  reactions: [],
  submessages: [],
  topic_links: [],
  sender_realm_str: '',
}
const usualEvent: Fields = { read_by_sender: true, flags: [], flags_of: {}, has: [] }

/** What follows from other fields for most messages. */
const followingFrom = (message: Fields, content: string): { message: Fields; event: Fields } => ({
  message: message.type === 'stream' ? { stream_id: message.recipient_id } : {},
  // A paragraph of plain text.
  event: { rendered_content: `<p>${content}</p>`, is_public_stream: message.type === 'stream' },
})

/** Expected lists and records are empty. */
const isAsExpected = (value: unknown, expected: unknown): boolean =>
  value === expected || (typeof expected === 'object' && isEmpty(value))

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Array.isArray(value) ? value : Object.keys(value)).length === 0

/** Sets what is as expected to undefined, which JSON leaves out. Changes its first argument. */
function leaveOut(all: Record<string, unknown>, expected: Fields): void {
  for (const name in expected) {
    if (isAsExpected(all[name], expected[name])) all[name] = undefined
  }
}

/** An event as its row in the log keeps it. There is one for each message, so what is usual or follows is left out. */
export function storedForm(event: LoggedEvent): string {
  if (event.type !== 'message') return JSON.stringify(event)
  const following = followingFrom(event.message, event.content)
  const message: Record<string, unknown> = { ...event.message }
  leaveOut(message, usualMessage)
  leaveOut(message, following.message)
  const stored: Record<string, unknown> = { ...event, message }
  leaveOut(stored, usualEvent)
  leaveOut(stored, following.event)
  return JSON.stringify(stored)
}

/** The event of a row. Rows from before there was this form have all fields. */
export function fromStoredForm(text: string): LoggedEvent {
  const stored = JSON.parse(text) as LoggedEvent
  if (stored.type !== 'message') return stored
  const following = followingFrom(stored.message, stored.content)
  const message = { ...usualMessage, ...following.message, ...stored.message } as LoggedMessage
  return { ...usualEvent, ...following.event, ...stored, message } as MessageEvent
}
