import { seconds } from '../base/clock.ts'
import type { Context, SystemTx } from '../context.ts'
import { removeDroppedBlobs } from './dropped-blobs.ts'
import { abandonUpload } from './unfinished.ts'

/** Uploads ended in one write. */
const BATCH = 100

/** Removes uploads that were not finished in time, and bytes that nothing refers to. */
export async function sweepFiles(context: Context): Promise<void> {
  while ((await context.write(endLateUploads)) === BATCH);
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
