import { signal } from '@preact/signals'
import { storedTexts, storeText } from '../persistence/stored-texts.ts'
import type { Row } from '../reading/rows.ts'
import { perSession, type Session } from '../state/session.ts'
import { mayEdit } from './rights.ts'

/** The message that is edited in its place, with its Markdown as the server has it. */
export const editing = signal<{ id: number; text: string } | undefined>(undefined)

/** Edits that were started and neither saved nor canceled, by message; stored across reloads. */
const begunIn = perSession(({ state }) => {
  const ofEdits = [...storedTexts(state.user_id)].filter(([key]) => key.startsWith(PREFIX))
  return new Map(ofEdits.map(([, { text, of }]) => [Number(of), text]))
})
const PREFIX = 'edit '

function setBegun(session: Session, id: number, text: string | undefined): void {
  if (text === undefined) begunIn(session).delete(id)
  else begunIn(session).set(id, text)
  storeText(session.state.user_id, PREFIX + id, text === undefined ? undefined : { text, of: id })
}

/** The message that the reader edited last. A response about another one is late. */
let wanted: number | undefined

export async function beginEdit({ client }: Session, id: number): Promise<void> {
  wanted = id
  const { message } = await client.getMessage({ message_id: id, apply_markdown: false, allow_empty_topic_name: true })
  if (wanted === id) editing.value = { id, text: message.content }
}

/** Edits the reader's last message in these rows. Returns false if there is none that can be edited. */
export function beginEditOfLast(session: Session, rows: readonly Row[]): boolean {
  const last = rows.findLast((row) => row.kind === 'message' && row.message.sender_id === session.state.user_id)
  if (last?.kind !== 'message' || !mayEdit(session, last.message)) return false
  void beginEdit(session, last.message.id).catch(() => {})
  return true
}

/** The text of the edit as it is now: what was begun before, where something was. */
export const editedText = (session: Session, id: number): string =>
  begunIn(session).get(id) ?? editing.peek()?.text ?? ''

export const writeEdit: (session: Session, id: number, text: string) => void = setBegun

/** Cancels the edit. */
export function endEdit(session: Session, id: number): void {
  setBegun(session, id, undefined)
  editing.value = undefined
}

/** Closes the edit box and keeps the changes. Returns whether there are any. */
export function leaveEdit(session: Session, id: number): boolean {
  const begun = begunIn(session).get(id)
  const isChanged = begun !== undefined && begun !== editing.peek()?.text
  if (!isChanged) setBegun(session, id, undefined)
  editing.value = undefined
  return isChanged
}

export async function saveEdit(session: Session, id: number, content: string): Promise<void> {
  await session.client.updateMessage({ message_id: id, content })
  const isOpen = editing.peek()?.id === id
  if ((begunIn(session).get(id) ?? content) !== content) {
    // A reader who kept typing continues from the saved text.
    if (isOpen) editing.value = { id, text: content }
    return
  }
  setBegun(session, id, undefined)
  if (isOpen) editing.value = undefined
}

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
