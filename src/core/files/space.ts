import type { Db } from '../../storage/index.ts'
import type { SystemTx } from '../kernel/context.ts'
import { ChatError } from '../kernel/errors.ts'
import { settingsOf } from '../settings/organization.ts'

const MIB = 1024 * 1024

/** Returns the bytes of all complete files. */
export async function spaceUsed(db: Db): Promise<number> {
  return (await db.selectFrom('file_space').select('bytes').executeTakeFirstOrThrow()).bytes
}

export async function changeSpaceUsed(tx: SystemTx, bytes: number): Promise<void> {
  await tx.db
    .updateTable('file_space')
    .set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
    .execute()
}

/** Throws REALM_UPLOAD_QUOTA if existing files, uploads in progress and this many more bytes exceed the quota. */
export async function requireSpace(tx: SystemTx, more: number): Promise<void> {
  const { upload_quota_mib: quota } = await settingsOf(tx)
  if (quota === null) return
  const { arriving } = await tx.db
    .selectFrom('upload')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('received'), eb.lit(0)).as('arriving'))
    // An archive for an import doesn't stay.
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('import_job')
        .select('upload_id')
        .where('upload_id', 'is not', null)
        .$castTo<{ upload_id: number }>(),
    )
    .executeTakeFirstOrThrow()
  if ((await spaceUsed(tx.db)) + arriving + more <= quota * MIB) return
  throw new ChatError('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota.")
}
