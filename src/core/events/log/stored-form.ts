import type { LoggedMessage } from '../../shapes/message.ts'
import type { LoggedEvent } from '../types/table.ts'

/** The members of any event or message. Name and value decide which of them are left out. */
type Fields = Readonly<Record<string, unknown>>
type MessageEvent = LoggedEvent<'message'>

/** Usual values of messages, which rows in the log need not repeat. */
const usualMessage: Fields = {
  is_me_message: false,
  reactions: [],
  submessages: [],
  topic_links: [],
  sender_realm_str: '',
}
const usualEvent: Fields = { read_by_sender: true, flags: [], flags_of: {}, has: [] }

/** Values that follow from other fields for most messages. */
const followingFrom = (message: Fields, content: string): { message: Fields; event: Fields } => ({
  message: message.type === 'stream' ? { stream_id: message.recipient_id } : {},
  // A paragraph of plain text.
  event: { rendered_content: `<p>${content}</p>`, is_public_stream: message.type === 'stream' },
})

/** Returns whether a value equals the expected one. Expected lists and records are empty. */
const isAsExpected = (value: unknown, expected: unknown): boolean =>
  value === expected || (typeof expected === 'object' && isEmpty(value))

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Array.isArray(value) ? value : Object.keys(value)).length === 0

/** Sets expected values to undefined, which JSON leaves out. Changes its first argument. */
function leaveOut(all: Record<string, unknown>, expected: Fields): void {
  for (const name in expected) {
    if (isAsExpected(all[name], expected[name])) all[name] = undefined
  }
}

/**
 * Returns an event as the log stores it. Every message has one, so usual values and ones that follow from others are
 * left out.
 */
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

/** Returns the event of a row. Old rows have all fields. */
export function fromStoredForm(text: string): LoggedEvent {
  const stored = JSON.parse(text) as LoggedEvent
  if (stored.type !== 'message') return stored
  const following = followingFrom(stored.message, stored.content)
  const message = { ...usualMessage, ...following.message, ...stored.message } as LoggedMessage
  return { ...usualEvent, ...following.event, ...stored, message } as MessageEvent
}
