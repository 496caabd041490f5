import * as v from 'valibot'
import { accessOwnFile, type StoredFile } from '../access/files.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { SystemTx } from '../kernel/context.ts'
import { described, id, none } from '../kernel/fields.ts'
import { attachmentShape } from '../shapes/attachment.ts'
import { empty, integer } from '../shapes/values.ts'
import { attachmentViews } from './attachment-view.ts'
import { dropBlob } from './dropped-blobs.ts'
import { changeSpaceUsed, spaceUsed } from './space.ts'

/**
 * GET /attachments: lists the caller's files with the messages that refer to them.
 *
 * @throws USER_DEACTIVATED if the caller's account was deactivated
 * @example
 * const { attachments, upload_space_used } = await listAttachments(caller)
 */
export const listAttachments = action(
  {
    name: 'listAttachments',
    summary: 'List your files',
    params: none,
    result: v.strictObject({ attachments: v.array(attachmentShape), upload_space_used: integer }),
  },
  async (caller) => {
    const { db, user } = caller
    const files = await db.selectFrom('file').selectAll().where('owner_id', '=', user.id).orderBy('id').execute()
    return { attachments: await attachmentViews(caller, files), upload_space_used: await spaceUsed(db) }
  },
)

/**
 * DELETE /attachments/{attachment_id}: deletes a file of the caller's, even if messages refer to it.
 *
 * @throws BAD_REQUEST "Invalid attachment"
 * @example
 * const { attachments } = await listAttachments(caller)
 * for (const { id } of attachments) await deleteAttachment(caller, { attachment_id: id })
 */
export const deleteAttachment = action(
  {
    name: 'deleteAttachment',
    summary: 'Delete a file',
    params: v.object({ attachment_id: described(id, 'ID of the file.') }),
    result: empty,
  },
  (caller, { attachment_id }) =>
    caller.write(async (tx) => {
      await removeFile(tx, await accessOwnFile(tx, attachment_id))
      return {}
    }),
)

/** Removes a file and everything derived from it, and notifies its owner. */
export async function removeFile(tx: SystemTx, { id, owner_id, blob_id, size }: StoredFile): Promise<void> {
  const thumbnails = await tx.db.selectFrom('thumbnail').select('blob_id').where('file_id', '=', id).execute()
  await tx.db.deleteFrom('file').where('id', '=', id).execute()
  for (const blob of [blob_id, ...thumbnails.map((row) => row.blob_id)]) await dropBlob(tx, blob, 'read')
  await changeSpaceUsed(tx, -size)
  const upload_space_used = await spaceUsed(tx.db)
  await emit(tx, { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used }, only(owner_id))
}
