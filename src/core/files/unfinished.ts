import type { Selectable } from 'kysely'
import { BLOB_CHUNK_BYTES, createBlob, putBlobChunk, readBlob, type UploadTable } from '../../storage/index.ts'
import { requireVoice } from '../access/silence.ts'
import { seconds } from '../kernel/base/clock.ts'
import {
  MAX_FILES_PER_USER,
  MAX_UNFINISHED_UPLOADS,
  RESUMABLE_UPLOAD_SECONDS,
  UPLOAD_SECONDS,
} from '../kernel/base/limits.ts'
import type { Caller, SystemTx, Tx } from '../kernel/context.ts'
import { diskSpaceOf } from '../kernel/disk-space.ts'
import { absent, badRequest, ChatError } from '../kernel/errors.ts'
import { dropBlob } from './dropped-blobs.ts'
import { shownName } from './names.ts'
import { requireSpace } from './space.ts'
import { typeOf } from './types.ts'

/** An incomplete file. */
export type Upload = Selectable<UploadTable>

interface NewUpload {
  name: string
  content_type: string
  /** For an upload in several requests: its token, and its declared size. */
  token?: string
  size?: number
}

/** An upload in several requests has more time, because its sender may be offline for a while. */
const lifespan = (token: string | null): number => (token === null ? UPLOAD_SECONDS : RESUMABLE_UPLOAD_SECONDS)

/**
 * Makes room for a file of the caller's. Throws if the organization has no space left, or the caller has too many
 * uploads.
 */
export async function beginUpload(caller: Caller, { name, content_type, token, size }: NewUpload): Promise<Upload> {
  diskSpaceOf(caller.chat).requireRoomForFile(size ?? 0)
  return caller.write(async (tx) => {
    await requireVoice(tx)
    await requireSpace(tx, size ?? 0)
    await requireRoom(tx)
    return addUpload(tx, { name, content_type, ...(token && { token }), ...(size !== undefined && { size }) })
  })
}

/** Adds an upload without its bytes. Throws if the caller has too many. */
export async function addUpload(tx: Tx, { name, content_type, token, size }: NewUpload): Promise<Upload> {
  const { count } = await tx.db
    .selectFrom('upload')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', tx.user.id)
    .executeTakeFirstOrThrow()
  if (count >= MAX_UNFINISHED_UPLOADS) {
    throw badRequest(`Too many unfinished uploads; at most ${MAX_UNFINISHED_UPLOADS} per user`)
  }
  const now = seconds(tx.chat.clock)
  const shown = shownName(name)
  const type = typeOf(shown, content_type)
  return tx.db
    .insertInto('upload')
    .values({
      token: token ?? null,
      owner_id: tx.user.id,
      blob_id: await createBlob(tx.db, type, now),
      name: shown,
      content_type: type,
      size: size ?? null,
      received: 0,
      expires_at: now + lifespan(token ?? null),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A list of all files of a user is one response. */
async function requireRoom({ db, user }: Tx): Promise<void> {
  const last = db.selectFrom('file').select('id').where('owner_id', '=', user.id).orderBy('id')
  if (
    await last
      .limit(1)
      .offset(MAX_FILES_PER_USER - 1)
      .executeTakeFirst()
  ) {
    throw badRequest(`You can have at most ${MAX_FILES_PER_USER} files. Delete some first.`)
  }
}

/**
 * Stores what arrives, each piece in a write of its own: no write waits for the network, and at most one piece is in
 * memory. If the stream breaks off, the pieces before it are kept. A power failure may undo pieces until the upload is
 * finished by a synced write.
 */
export async function receive(caller: Caller, upload: Upload, arriving: AsyncIterable<Uint8Array>): Promise<Upload> {
  let { received } = upload
  const piece = Buffer.allocUnsafe(BLOB_CHUNK_BYTES)
  let filled = received % BLOB_CHUNK_BYTES
  for await (const last of readBlob(caller.db, upload.blob_id, received - filled)) piece.set(last)

  let stored = received
  const store = async () => {
    if (received === stored) return
    diskSpaceOf(caller.chat).requireRoomForFile(received - stored)
    await caller.write((tx) => putPiece(tx, upload, stored, piece.subarray(0, filled)), { relaxed: true })
    stored = received
  }
  try {
    for await (const bytes of arriving) {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + BLOB_CHUNK_BYTES - filled)
        piece.set(part, filled)
        filled += part.length
        received += part.length
        at += part.length
        if (filled < BLOB_CHUNK_BYTES) continue
        await store()
        filled = 0
      }
    }
  } finally {
    if (filled > 0) await store()
  }
  return { ...upload, received }
}

/** Stores the last piece of an upload. `before` is its sender's idea of the upload's position. */
async function putPiece(tx: SystemTx, upload: Upload, before: number, data: Uint8Array): Promise<void> {
  const seq = Math.floor(before / BLOB_CHUNK_BYTES)
  const row = await tx.db
    .updateTable('upload')
    .set({
      received: seq * BLOB_CHUNK_BYTES + data.length,
      expires_at: seconds(tx.chat.clock) + lifespan(upload.token),
    })
    .where('id', '=', upload.id)
    // Another request may have sent the same piece, or canceled the upload.
    .where('received', '=', before)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new ChatError('BAD_REQUEST', 'The upload was canceled, or another request resumed it', {}, 'conflict')
  await putBlobChunk(tx.db, upload.blob_id, seq, data)
  await requireSpace(tx, 0)
}

export const uploadGone = () => absent('The upload no longer exists')

/** Removes an upload that won't be finished, and the import that waits for it. */
export async function abandonUpload(tx: SystemTx, { id, blob_id }: Pick<Upload, 'id' | 'blob_id'>): Promise<void> {
  const gone = await tx.db.deleteFrom('upload').where('id', '=', id).returning('id').executeTakeFirst()
  if (!gone) return
  await tx.db.deleteFrom('import_job').where('upload_id', '=', id).execute()
  await dropBlob(tx, blob_id, 'unread')
}
