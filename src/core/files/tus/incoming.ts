import { seconds } from '../../kernel/base/clock.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { finishUpload, uploadedView } from '../finish.ts'
import { inspectBlob } from '../image-file.ts'
import { type Upload, uploadGone } from '../unfinished.ts'
import { tooLarge } from './protocol.ts'

/** An upload of the caller's that goes on, by its token. */
export async function accessUpload({ db, user, chat }: Caller, token: string): Promise<Upload> {
  const upload = await db
    .selectFrom('upload')
    .selectAll()
    .where('token', '=', token)
    .where('owner_id', '=', user.id)
    .where('expires_at', '>', seconds(chat.clock))
    .executeTakeFirst()
  if (!upload) throw uploadGone()
  return upload
}

export async function* atMost(
  caller: Caller,
  chunks: AsyncIterable<Uint8Array>,
  left: number,
): AsyncGenerator<Uint8Array> {
  let rest = left
  for await (const piece of chunks) {
    rest -= piece.length
    if (rest < 0) throw left === 0 ? badRequest('The upload is complete') : tooLarge(caller)
    yield piece
  }
}

export async function finish(caller: Caller, upload: Upload) {
  const image = await inspectBlob(caller, upload.blob_id, upload.received)
  return uploadedView(caller.chat, await caller.write((tx) => finishUpload(tx, upload, image)))
}
