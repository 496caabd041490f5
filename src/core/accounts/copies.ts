import { dropBlob } from '../files/dropped-blobs.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import type { Copy } from './erase.ts'

/** Files in one answer. */
export const MAX_COPIES = 1000
/** Entries of the audit log that are read for them. Several entries may be about one file. */
const MAX_ENTRIES = 10_000

/**
 * Returns the backups and exports written since then, according to the audit log, oldest first: the newest thousand
 * files. A file that was written again is listed once.
 */
export async function copiesSince({ db }: Pick<Context, 'db'>, since: number): Promise<Copy[]> {
  const rows = await db
    .selectFrom('audit')
    .select(['at', 'action', 'after'])
    .where('action', 'in', ['backup', 'exportData'])
    .where('at', '>=', since)
    .orderBy('id', 'desc')
    .limit(MAX_ENTRIES)
    .execute()
  const copies = new Map<string, Copy>()
  for (const { at, action, after } of rows) {
    const kind = action === 'backup' ? 'backup' : 'export'
    const file = String((JSON.parse(after ?? '{}') as { file?: string }).file ?? '')
    // Without a name, each may be a different file.
    const key = file === '' ? `${copies.size}` : `${kind} ${file}`
    if (!copies.has(key)) copies.set(key, { kind, file, written_at: at })
    if (copies.size === MAX_COPIES) break
  }
  return [...copies.values()].reverse()
}

/**
 * Deletes all archives that the server keeps. Returns how many there were.
 *
 * @throws ChatError BAD_REQUEST while an archive is in progress, because it may already have read what is erased
 */
export async function removeArchives(tx: SystemTx): Promise<number> {
  const pending = await tx.db
    .selectFrom('data_export')
    .select('id')
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (pending) throw badRequest('An export is in progress. Try again when it is complete.')
  const rows = await tx.db
    .selectFrom('data_export')
    .select(['id', 'blob_id'])
    .where('blob_id', 'is not', null)
    .where('finished_at', 'is not', null)
    .execute()
  for (const { id, blob_id } of rows) {
    const gone = { deleted_at: seconds(tx.chat.clock), path: null, blob_id: null }
    await tx.db.updateTable('data_export').set(gone).where('id', '=', id).execute()
    await dropBlob(tx, blob_id!, 'unread')
  }
  return rows.length
}
