import type { StoredFile } from '../access/files.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { groupBy } from '../kernel/base/lists.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { AttachmentView } from '../shapes/attachment.ts'
import { spaceUsed } from './space.ts'

/** Returns files as their owners see them. */
export async function attachmentViews({ db, chat }: Context, files: readonly StoredFile[]): Promise<AttachmentView[]> {
  if (files.length === 0) return []
  const ids = files.map((file) => file.id)
  const rows = await db
    .selectFrom('message_file')
    .select(['file_id', 'message_id'])
    .where('file_id', 'in', dialectOf(chat).idsIn(ids))
    .orderBy('message_id')
    .execute()
  const messages = groupBy(
    rows,
    (row) => row.file_id,
    (row) => row.message_id,
  )
  return files.map(({ id, name, path, size, created_at }) => ({
    id,
    name,
    path_id: path,
    size,
    create_time: created_at,
    message_ids: messages.get(id) ?? [],
  }))
}

/** Notifies the owner of each file of its current state. */
export async function emitAttachments(tx: SystemTx, op: 'add' | 'update', files: readonly StoredFile[]): Promise<void> {
  const views = await attachmentViews(tx, files)
  const upload_space_used = await spaceUsed(tx.db)
  for (const [i, attachment] of views.entries()) {
    await emit(tx, { type: 'attachment', op, attachment, upload_space_used }, only(files[i]!.owner_id))
  }
}
