import { dropBlob } from '../../files/dropped-blobs.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import { emitExports } from './export-view.ts'

/** Deletes all complete archives that the server keeps. Returns how many there were. */
export async function removeArchives(tx: Tx): Promise<number> {
  const rows = await tx.db
    .updateTable('data_export')
    .set({ deleted_at: seconds(tx.chat.clock), path: null })
    .where('blob_id', 'is not', null)
    .where('finished_at', 'is not', null)
    .returning(['id', 'blob_id'])
    .execute()
  for (const { id, blob_id } of rows) {
    await tx.db.updateTable('data_export').set({ blob_id: null }).where('id', '=', id).execute()
    await dropBlob(tx, blob_id!, 'unread')
  }
  if (rows.length > 0) await emitExports(tx)
  return rows.length
}
