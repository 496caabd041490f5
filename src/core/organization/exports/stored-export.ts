import { type Db, readBlob } from '../../../storage/index.ts'
import { dropBlob } from '../../files/dropped-blobs.ts'
import type { ServedFile } from '../../kernel/answers.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { absent, badRequest, type ChatError } from '../../kernel/errors.ts'
import { type DataExport, emitExports, isPending } from './export-view.ts'

export const exportGone = (): ChatError => absent('This archive does not exist or has been deleted.')

/** Deletes a finished archive. Its row stays. */
export async function removeExport(tx: SystemTx, row: DataExport | undefined): Promise<void> {
  if (!row) throw badRequest('Invalid data export ID')
  if (row.deleted_at !== null) throw badRequest('Export already deleted')
  if (row.failed_at !== null) throw badRequest('Export failed, nothing to delete')
  if (isPending(row)) throw badRequest('Export still in progress')
  await tx.db
    .updateTable('data_export')
    .set({ deleted_at: seconds(tx.chat.clock), path: null, blob_id: null })
    .where('id', '=', row.id)
    .execute()
  await dropBlob(tx, row.blob_id!, 'read')
  await emitExports(tx, row)
}

export function servedExport(db: Db, { id, path, blob_id, size }: DataExport): ServedFile {
  return {
    content_type: 'application/gzip',
    size: size!,
    version: `export-${id}`,
    cache: 'private',
    download_as: path!.slice(path!.lastIndexOf('/') + 1),
    read: (start, end) => readBlob(db, blob_id!, start, end),
    ownPieces: true,
  }
}
