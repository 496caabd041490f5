import { systemCaller } from '../../accounts/create-organization.ts'
import type { Chat } from '../../kernel/chat.ts'
import { badRequest } from '../../kernel/errors.ts'
import type { ImportRow } from './journal.ts'
import type { ImportReport } from './report.ts'

/** An entry of the list of imports. */
export interface ImportView {
  id: number
  source: string
  file: string
  started_at: number
  finished_at: number | null
  undone_at: number | null
  messages: number
  messages_done: number
}

const view = (row: ImportRow): ImportView => ({
  id: row.id,
  source: row.source,
  file: row.file,
  started_at: row.started_at,
  finished_at: row.finished_at,
  undone_at: row.undone_at,
  messages: row.last_message_id! - row.first_message_id! + 1,
  messages_done: row.messages_done,
})

/** All imports, the newest first. */
export async function listImports(chat: Chat): Promise<ImportView[]> {
  const { db } = await systemCaller(chat)
  return (await db.selectFrom('import').selectAll().orderBy('id', 'desc').execute()).map(view)
}

/** Returns an import with its report, which is null until the import finishes. */
export async function showImport(chat: Chat, id: number): Promise<ImportView & { report: ImportReport | null }> {
  const { db } = await systemCaller(chat)
  const row = await db.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw badRequest(`Import ${id} does not exist`)
  return { ...view(row), report: row.report === null ? null : JSON.parse(row.report) }
}
