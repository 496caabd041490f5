import { dropBlob } from '../files/dropped-blobs.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import type { Copy } from './erase.ts'

/** Returns the backups and exports written since then, according to the audit log. */
export async function copiesSince({ db }: Pick<Context, 'db'>, since: number): Promise<Copy[]> {
  const rows = await db
    .selectFrom('audit')
    .select(['at', 'action', 'after'])
    .where('action', 'in', ['backup', 'exportData'])
    .where('at', '>=', since)
    .orderBy('id')
    .execute()
  return rows.map(({ at, action, after }) => ({
    kind: action === 'backup' ? 'backup' : 'export',
    file: String((JSON.parse(after ?? '{}') as { file?: string }).file ?? ''),
    written_at: at,
  }))
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
