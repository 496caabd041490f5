import type { Archive } from '../../../import/archive/archive.ts'
import type { RecordOf } from '../../../import/format.ts'
import { createBlob, insertBlob } from '../../../storage/index.ts'
import { inspectBlob } from '../../files/image-file.ts'
import { checkImage } from '../../files/images/headers/read.ts'
import { newPath, shownName } from '../../files/names.ts'
import { changeSpaceUsed } from '../../files/space.ts'
import { typeOf } from '../../files/types.ts'
import { receive } from '../../files/unfinished.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { UPLOAD_SECONDS } from '../../kernel/base/limits.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { forgetCustomEmoji } from '../emoji/custom-emoji.ts'
import type { Journal } from './journal.ts'

/**
 * Stores a file of the archive. It is stored like an upload, so that interrupted files are removed like unfinished
 * uploads.
 */
export async function writeFile(
  caller: Caller,
  journal: Journal,
  record: RecordOf<'file'>,
  archive: Archive,
): Promise<void> {
  const now = seconds(caller.chat.clock)
  const owner_id = (record.user === undefined ? undefined : journal.get('user', record.user)?.id) ?? caller.user.id
  const name = shownName(record.name)
  const content_type = typeOf(name, record.content_type ?? '')
  const upload = await caller.write((tx) => beginUpload(tx, { owner_id, name, content_type }))
  const { received: size } = await receive(caller, upload, archive.stream(record.path))
  const image = await inspectBlob(caller, upload.blob_id, size)
  await caller.write(async (tx) => {
    journal.begin()
    await tx.db.deleteFrom('upload').where('id', '=', upload.id).execute()
    const { id } = await tx.db
      .insertInto('file')
      .values({
        ...{ path: newPath(tx.chat.random, name), owner_id, blob_id: upload.blob_id, name, size },
        content_type: image?.content_type ?? content_type,
        created_at: Math.floor(record.date ?? now),
        unused_since: now,
        width: image?.width ?? null,
        height: image?.height ?? null,
        frames: image?.frames ?? null,
        has_thumbnail: 0,
        thumbnail_attempts: image ? 0 : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await changeSpaceUsed(tx, size)
    await journal.note(tx.db, 'file', record.id, { id, isNew: true })
  })
  journal.settle()
}

async function beginUpload(tx: Tx, about: { owner_id: number; name: string; content_type: string }) {
  const now = seconds(tx.chat.clock)
  return tx.db
    .insertInto('upload')
    .values({
      ...about,
      token: null,
      blob_id: await createBlob(tx.db, about.content_type, now),
      size: null,
      received: 0,
      expires_at: now + UPLOAD_SECONDS,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Stores a custom emoji whose picture was read before; one that is no picture is left out. */
export async function writeEmoji(
  tx: Tx,
  journal: Journal,
  record: RecordOf<'emoji'>,
  bytes: Uint8Array,
): Promise<void> {
  const { content_type, animated } = checkImage(bytes)
  const author_id = record.author === undefined ? null : (journal.get('user', record.author)?.id ?? null)
  const { id } = await tx.db
    .insertInto('custom_emoji')
    .values({
      name: record.name,
      author_id,
      is_deactivated: 0,
      blob_id: await insertBlob(tx.db, bytes, content_type, seconds(tx.chat.clock)),
      content_type,
      is_animated: animated ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  forgetCustomEmoji(tx)
  await journal.note(tx.db, 'emoji', record.name, { id, isNew: true })
}
