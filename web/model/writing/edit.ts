import { type ReadonlySignal, signal } from '@preact/signals'
import { isChatError, type Message } from '../../../src/client/index.ts'
import { storedTexts, storeText } from '../persistence/stored-texts.ts'
import { type Conversation, conversationOf } from '../reading/conversations.ts'
import type { Row } from '../reading/rows.ts'
import { perSession, type Session } from '../state/session.ts'
import { addText } from './compose.ts'
import { mayEdit } from './rights.ts'

/** The state of an edit. */
export type EditState =
  /** Being written, or left for later. */
  | { name: 'writing' }
  /** This text is being saved. */
  | { name: 'saving'; sent: string }
  | { name: 'refused'; error: unknown }
  /** The message's content has changed since the edit began. */
  | { name: 'conflict'; theirs: string }

/** An edit that was started and neither saved nor canceled. It survives reloads, and the deletion of its message. */
export interface Edit {
  readonly id: number
  readonly conversation: Conversation
  /** The Markdown that the edit started from. */
  readonly base: string
  readonly text: string
  readonly isOpen: boolean
  readonly state: EditState
}

type Edits = ReadonlyMap<number, Edit>

const PREFIX = 'edit '

/** Unfinished edits by message id. */
const editsIn = perSession((session) => {
  const edits = signal(keptOf(session))
  const check = () => void askAfterKept(session)
  session.live.onChange((change) => {
    if (change.type === 'event' && change.event.type === 'delete_message')
      for (const id of change.event.message_ids ?? [change.event.message_id]) orphan(session, id)
    if (change.type === 'registered') check()
  })
  queueMicrotask(check)
  return edits
})

/** The unfinished edits. */
export const allEdits = (session: Session): ReadonlySignal<Edits> => editsIn(session)

export const editOf = (session: Session, id: number): Edit | undefined => editsIn(session).value.get(id)

/** Returns whether the edit box of a message is open. */
export const isEditing = (session: Session, id: number): boolean => editOf(session, id)?.isOpen === true

function keptOf({ state: { user_id } }: Session): Edits {
  const kept = [...storedTexts(user_id)].filter(([key, { of }]) => key.startsWith(PREFIX) && typeof of === 'object')
  return new Map(
    kept.map(([, { text, of }]) => {
      const edit = { ...(of as Omit<Edit, 'text' | 'state'>), text, state: { name: 'writing' } as const }
      return [edit.id, edit]
    }),
  )
}

function put(session: Session, edit: Edit): void {
  const edits = editsIn(session)
  edits.value = new Map(edits.peek()).set(edit.id, edit)
  const { id, conversation, base, text, isOpen } = edit
  storeText(session.state.user_id, PREFIX + id, { text, of: { id, conversation, base, isOpen } })
}

function change(session: Session, id: number, changes: Partial<Edit>): void {
  const edit = editsIn(session).peek().get(id)
  if (edit) put(session, { ...edit, ...changes })
}

/** Cancels an edit, or forgets a saved one. */
export function endEdit(session: Session, id: number): void {
  const edits = editsIn(session)
  edits.value = new Map([...edits.peek()].filter(([one]) => one !== id))
  storeText(session.state.user_id, PREFIX + id, undefined)
}

/** The message that the reader edited last. A response about another one is late. */
let wanted: number | undefined

const textOf = async ({ client }: Session, message_id: number): Promise<string> =>
  (await client.getMessage({ message_id, apply_markdown: false, allow_empty_topic_name: true })).message.content

/** Opens the edit box of a message, with the text of an unfinished edit if there is one. Closes other boxes. */
export async function beginEdit(session: Session, message: Message): Promise<void> {
  const { id } = message
  wanted = id
  const before = editsIn(session).peek().get(id)
  const base = before?.base ?? (await textOf(session, id))
  if (wanted !== id) return
  for (const edit of editsIn(session).peek().values()) if (edit.isOpen && edit.id !== id) leaveEdit(session, edit.id)
  const fresh = { id, conversation: conversationOf(message, session.state.user_id), base, text: base }
  put(session, { ...(before ?? { ...fresh, state: { name: 'writing' } }), isOpen: true })
}

/** Edits the reader's last message in these rows. Returns false if there is none that can be edited. */
export function beginEditOfLast(session: Session, rows: readonly Row[]): boolean {
  const last = rows.findLast((row) => row.kind === 'message' && row.message.sender_id === session.state.user_id)
  if (last?.kind !== 'message' || !mayEdit(session, last.message)) return false
  void beginEdit(session, last.message).catch(() => {})
  return true
}

/** Opens the edit box again as soon as its message is shown. */
export const reopenEdit = (session: Session, id: number): void => change(session, id, { isOpen: true })

export function writeEdit(session: Session, id: number, text: string): void {
  const edit = editsIn(session).peek().get(id)
  const state = edit?.state.name === 'refused' ? ({ name: 'writing' } as const) : edit?.state
  if (edit && state) put(session, { ...edit, text, state })
}

/** Closes the edit box and keeps the changes. Returns whether there are any. */
export function leaveEdit(session: Session, id: number): boolean {
  const edit = editsIn(session).peek().get(id)
  if (!edit) return false
  const isChanged = edit.text !== edit.base
  if (isChanged) change(session, id, { isOpen: false })
  else endEdit(session, id)
  return isChanged
}

/** Saves an edit, unless the message's content has changed since the edit began. */
export async function saveEdit(session: Session, id: number): Promise<void> {
  const edit = editsIn(session).peek().get(id)
  if (!edit || edit.state.name === 'saving') return
  const { text: sent, base } = edit
  change(session, id, { state: { name: 'saving', sent } })
  try {
    const isSaved = sent === base || (await update(session, id, sent, base))
    if (!isSaved) return change(session, id, { state: { name: 'conflict', theirs: await textOf(session, id) } })
  } catch (error) {
    return change(session, id, { state: { name: 'refused', error } })
  }
  const now = editsIn(session).peek().get(id)
  // A reader who kept typing continues from the saved text.
  if (now && now.text !== sent) change(session, id, { base: sent, state: { name: 'writing' } })
  else endEdit(session, id)
}

/** Continues a conflicting edit from the current content, with the reader's text or the current one. */
export function settleConflict(session: Session, id: number, keep: 'mine' | 'theirs'): void {
  const edit = editsIn(session).peek().get(id)
  if (edit?.state.name !== 'conflict') return
  const { theirs } = edit.state
  change(session, id, { base: theirs, state: { name: 'writing' }, ...(keep === 'theirs' && { text: theirs }) })
}

/** Returns false if the message's content has changed since the edit began. */
async function update(session: Session, message_id: number, content: string, base: string): Promise<boolean> {
  const prev_content_sha256 = await sha256(base)
  // Browsers compute no digests on insecure connections.
  if (prev_content_sha256 === undefined && (await textOf(session, message_id)) !== base) return false
  try {
    await session.client.updateMessage({ message_id, content, ...(prev_content_sha256 && { prev_content_sha256 }) })
    return true
  } catch (error) {
    if (isChatError(error) && error.code === 'EXPECTATION_MISMATCH') return false
    throw error
  }
}

async function sha256(text: string): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The latest edit whose message was deleted. Its text became a draft. */
export const orphaned = signal<Edit | undefined>(undefined)

function orphan(session: Session, id: number | undefined): void {
  const edit = id === undefined ? undefined : editsIn(session).peek().get(id)
  if (!edit) return
  endEdit(session, edit.id)
  if (edit.text === edit.base) return
  addText(session, edit.conversation, edit.text)
  orphaned.value = edit
}

/** Finds edits whose messages were deleted while the page was closed. */
async function askAfterKept(session: Session): Promise<void> {
  for (const id of editsIn(session).peek().keys()) {
    await textOf(session, id).catch((error: unknown) => {
      if (isChatError(error) && error.kind === 'request') orphan(session, id)
    })
  }
}
