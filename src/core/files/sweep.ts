import { seconds } from '../kernel/base/clock.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { removeFile } from './attachments.ts'
import { removeDroppedBlobs } from './dropped-blobs.ts'
import { abandonUpload } from './unfinished.ts'

/** Uploads ended, or files removed, in one write. */
const BATCH = 100

/** Removes uploads that were not finished in time, files without references for a long time, and their bytes. */
export async function sweepFiles(context: Context): Promise<void> {
  while ((await context.write(endLateUploads)) === BATCH);
  while ((await context.write(removeUnused)) === BATCH);
  await removeDroppedBlobs(context)
}

async function endLateUploads(tx: SystemTx): Promise<number> {
  const late = await tx.db
    .selectFrom('upload')
    .select(['id', 'blob_id'])
    .where('expires_at', '<=', seconds(tx.chat.clock))
    .limit(BATCH)
    .execute()
  for (const upload of late) await abandonUpload(tx, upload)
  return late.length
}

const DAY = 86_400

/** Keeps files of drafts, scheduled and held messages for the same time again. */
async function removeUnused(tx: SystemTx): Promise<number> {
  const now = seconds(tx.chat.clock)
  const unused = await tx.db
    .selectFrom('file')
    .selectAll()
    .select((eb) => [
      eb
        .or([
          eb.exists(
            eb.selectFrom('draft_file').select('draft_file.file_id').whereRef('draft_file.file_id', '=', 'file.id'),
          ),
          eb.exists(
            eb
              .selectFrom('scheduled_message_file')
              .select('scheduled_message_file.file_id')
              .whereRef('scheduled_message_file.file_id', '=', 'file.id'),
          ),
          eb.exists(
            eb
              .selectFrom('held_message_file')
              .select('held_message_file.file_id')
              .whereRef('held_message_file.file_id', '=', 'file.id'),
          ),
        ])
        .as('unsent'),
    ])
    .where('unused_since', '<=', now - tx.chat.options.unusedFileDays * DAY)
    .limit(BATCH)
    .execute()
  for (const { unsent, ...file } of unused) {
    if (unsent) await tx.db.updateTable('file').set({ unused_since: now }).where('id', '=', file.id).execute()
    else await removeFile(tx, file)
  }
  return unused.length
}
