import { signal } from '@preact/signals'
import { isChatError, type Message } from '../../../src/client/index.ts'
import { conversationOf } from '../reading/conversations.ts'
import type { Row } from '../reading/rows.ts'
import { perSession, type Session } from '../state/session.ts'
import { addText } from './compose.ts'
import { mayEdit } from './rights.ts'
import { type Written, writtenTexts } from './written.ts'

/** An edit that was started and neither saved nor canceled. It survives reloads, and the deletion of its message. */
export type Edit = Written & { readonly edit: NonNullable<Written['edit']> }

const keyOf = (id: number): string => `edit ${id}`

/** Texts being written, with edits that become drafts when their message is deleted. */
const textsWithEdits = perSession((session) => {
  const check = () => void askAfterKept(session)
  session.live.onChange((change) => {
    if (change.type === 'event' && change.event.type === 'delete_message')
      for (const id of change.event.message_ids ?? [change.event.message_id]) orphan(session, id)
    if (change.type === 'registered') check()
  })
  queueMicrotask(check)
  return writtenTexts(session)
})

/** The unfinished edits. */
export const allEdits = (session: Session): Edit[] =>
  textsWithEdits(session)
    .all()
    .filter((written): written is Edit => written.edit !== undefined)

export const editOf = (session: Session, id: number): Edit | undefined =>
  textsWithEdits(session).get(keyOf(id)) as Edit | undefined

/** Returns whether the edit box of a message is open. */
export const isEditing = (session: Session, id: number): boolean => editOf(session, id)?.edit.isOpen === true

function put(session: Session, edit: Edit): void {
  const texts = textsWithEdits(session)
  texts.keep(texts.put(edit))
}

function change(session: Session, id: number, changes: Partial<Edit>): void {
  const edit = editOf(session, id)
  if (edit) put(session, { ...edit, ...changes })
}

const setOpen = (session: Session, { edit }: Edit, isOpen: boolean): void =>
  change(session, edit.id, { edit: { ...edit, isOpen } })

/** Cancels an edit, or forgets a saved one. */
export const endEdit = (session: Session, id: number): void => textsWithEdits(session).remove(keyOf(id))

/** The message that the reader edited last. A response about another one is late. */
const lastEdited = perSession((): { id?: number } => ({}))

const textOf = async ({ client }: Session, message_id: number): Promise<string> =>
  (await client.getMessage({ message_id, apply_markdown: false, allow_empty_topic_name: true })).message.content

/** Opens the edit box of a message, with the text of an unfinished edit if there is one. Closes other boxes. */
export async function beginEdit(session: Session, message: Message): Promise<void> {
  const { id } = message
  lastEdited(session).id = id
  const before = editOf(session, id)
  const base = before?.edit.base ?? (await textOf(session, id))
  if (lastEdited(session).id !== id) return
  for (const { edit } of allEdits(session)) if (edit.isOpen && edit.id !== id) leaveEdit(session, edit.id)
  if (before) return setOpen(session, before, true)
  const conversation = conversationOf(message, session.state.user_id)
  const edit = { id, base, isOpen: true }
  put(session, { key: keyOf(id), conversation, text: base, state: { name: 'writing' }, at: 0, edit })
}

/** Edits the reader's last message in these rows. Returns false if there is none that can be edited. */
export function beginEditOfLast(session: Session, rows: readonly Row[]): boolean {
  const last = rows.findLast((row) => row.kind === 'message' && row.message.sender_id === session.state.user_id)
  if (last?.kind !== 'message' || !mayEdit(session, last.message)) return false
  void beginEdit(session, last.message).catch(() => {})
  return true
}

/** Opens the edit box again as soon as its message is shown. */
export const reopenEdit = (session: Session, edit: Edit): void => setOpen(session, edit, true)

export function writeEdit(session: Session, id: number, text: string): void {
  const state = editOf(session, id)?.state
  if (state) change(session, id, { text, state: state.name === 'refused' ? { name: 'writing' } : state })
}

/** Closes the edit box and keeps the changes. Returns whether there are any. */
export function leaveEdit(session: Session, id: number): boolean {
  const edit = editOf(session, id)
  if (!edit) return false
  const isChanged = edit.text !== edit.edit.base
  if (isChanged) setOpen(session, edit, false)
  else endEdit(session, id)
  return isChanged
}

/** Saves an edit, unless the message's content has changed since the edit began. */
export async function saveEdit(session: Session, id: number): Promise<void> {
  const before = editOf(session, id)
  if (!before || before.state.name === 'saving') return
  const { text: sent, edit } = before
  change(session, id, { state: { name: 'saving', sent } })
  try {
    const isSaved = sent === edit.base || (await update(session, id, sent, edit.base))
    if (!isSaved) return change(session, id, { state: { name: 'conflict', theirs: await textOf(session, id) } })
  } catch (error) {
    return change(session, id, { state: { name: 'refused', error } })
  }
  const now = editOf(session, id)
  // A reader who kept typing continues from the saved text.
  if (now && now.text !== sent) put(session, { ...now, edit: { ...now.edit, base: sent }, state: { name: 'writing' } })
  else endEdit(session, id)
}

/** Continues a conflicting edit from the current content, with the reader's text or the current one. */
export function settleConflict(session: Session, id: number, keep: 'mine' | 'theirs'): void {
  const now = editOf(session, id)
  if (now?.state.name !== 'conflict') return
  const { theirs } = now.state
  const edit = { ...now.edit, base: theirs }
  put(session, { ...now, edit, state: { name: 'writing' }, ...(keep === 'theirs' && { text: theirs }) })
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
export const orphaned = perSession(() => signal<Edit | undefined>(undefined))

function orphan(session: Session, id: number | undefined): void {
  const edit = id === undefined ? undefined : editOf(session, id)
  if (!edit) return
  endEdit(session, edit.edit.id)
  if (edit.text === edit.edit.base) return
  addText(session, edit.conversation, edit.text)
  orphaned(session).value = edit
}

/** Finds edits whose messages were deleted while the page was closed. */
async function askAfterKept(session: Session): Promise<void> {
  for (const { id } of allEdits(session).map(({ edit }) => edit)) {
    await textOf(session, id).catch((error: unknown) => {
      if (isChatError(error) && error.kind === 'request') orphan(session, id)
    })
  }
}
