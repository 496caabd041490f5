import { statement } from '../../storage/index.ts'
import { readableFiles } from '../access/files.ts'
import type { Tx } from '../kernel/context.ts'
import { pathsIn } from './paths-in-text.ts'

/** Keeps the files that a scheduled message refers to. */
export async function keepForScheduled(tx: Tx, scheduled_message_id: number, content: string): Promise<void> {
  await tx.db.deleteFrom('scheduled_message_file').where('scheduled_message_id', '=', scheduled_message_id).execute()
  const files = await readableFiles(tx, pathsIn(content))
  if (files.length === 0) return
  const rows = files.map(({ id: file_id }) => ({ scheduled_message_id, file_id }))
  await tx.db.insertInto('scheduled_message_file').values(rows).execute()
}

/** Keeps the files that a message refers to while it waits for a moderator. */
export async function keepForHeld(tx: Tx, held_message_id: number, content: string): Promise<void> {
  const files = await readableFiles(tx, pathsIn(content))
  if (files.length === 0) return
  const rows = files.map(({ id: file_id }) => ({ held_message_id, file_id }))
  await tx.db.insertInto('held_message_file').values(rows).execute()
}

const forgetFiles = statement((db, p: { draft_id: number }) =>
  db.deleteFrom('draft_file').where('draft_id', '=', p.draft_id),
)

/** Keeps the files that a draft refers to. */
export async function keepForDraft(tx: Tx, draft_id: number, content: string): Promise<void> {
  await forgetFiles(tx.db, { draft_id })
  const files = await readableFiles(tx, pathsIn(content))
  if (files.length === 0) return
  const rows = files.map(({ id: file_id }) => ({ draft_id, file_id }))
  await tx.db.insertInto('draft_file').values(rows).execute()
}
