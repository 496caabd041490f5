import type { StoredFile } from '../access/files.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import type { Tx } from '../kernel/context.ts'
import { servedPath } from '../kernel/public-url.ts'
import { emitAttachments } from './attachment-view.ts'
import type { InspectedImage } from './images/inspect.ts'
import { newPath, UPLOADS_PATH } from './names.ts'
import { changeSpaceUsed, requireSpace } from './space.ts'
import { thumbnailerOf } from './thumbnailer.ts'
import { type Upload, uploadGone } from './unfinished.ts'

/** Turns a complete upload into a file. Throws if another upload has taken the space since. */
export async function finishUpload(
  tx: Tx,
  { id }: Pick<Upload, 'id'>,
  image: InspectedImage | undefined,
): Promise<StoredFile> {
  await requireSpace(tx, 0)
  const upload = await tx.db.deleteFrom('upload').where('id', '=', id).returningAll().executeTakeFirst()
  if (!upload) throw uploadGone()
  const { owner_id, blob_id, name, content_type, received: size } = upload
  const now = seconds(tx.chat.clock)
  const path = newPath(tx.chat.random, name)
  const file = await tx.db
    .insertInto('file')
    .values({
      ...{ path, owner_id, blob_id, name, size },
      content_type: image?.content_type ?? content_type,
      created_at: now,
      unused_since: now,
      width: image?.width ?? null,
      height: image?.height ?? null,
      frames: image?.frames ?? null,
      has_thumbnail: 0,
      thumbnail_attempts: image ? 0 : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await changeSpaceUsed(tx, size)
  if (image) tx.afterCommit(() => thumbnailerOf(tx.chat).wake())
  await emitAttachments(tx, 'add', [file])
  return file
}

/** Returns the response for the sender of a file. */
export function uploadedView(chat: Chat, { path, name }: StoredFile) {
  const url = servedPath(chat, `${UPLOADS_PATH}/${path}`)
  return { url, uri: url, filename: name }
}
