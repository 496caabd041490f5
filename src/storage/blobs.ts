import type { Db, TxDb } from './handle.ts'
import { statement } from './statement.ts'

/**
 * SQLite copies a large value as a whole at every read, but pieces of this size can be streamed. Only the last piece
 * may be smaller.
 */
export const BLOB_CHUNK_BYTES = 256 * 1024

/** Creates an empty blob, to which `putBlobChunk` adds. */
export async function createBlob(db: TxDb, content_type: string, created_at: number): Promise<number> {
  const blob = db.insertInto('blob').values({ size: 0, content_type, created_at }).returning('id')
  return (await blob.executeTakeFirstOrThrow()).id
}

/** Sets the last piece of a growing blob. Pieces are put in order, and the last one again while it grows. */
export async function putBlobChunk(db: TxDb, blob_id: number, seq: number, data: Uint8Array): Promise<void> {
  await db
    .insertInto('blob_chunk')
    .values({ blob_id, seq, data })
    .onConflict((oc) => oc.columns(['blob_id', 'seq']).doUpdateSet({ data }))
    .execute()
  await db
    .updateTable('blob')
    .set({ size: seq * BLOB_CHUNK_BYTES + data.length })
    .where('id', '=', blob_id)
    .execute()
}

/** Inserts a blob of bytes in memory. */
export async function insertBlob(
  db: TxDb,
  bytes: Uint8Array,
  content_type: string,
  created_at: number,
): Promise<number> {
  const id = await createBlob(db, content_type, created_at)
  for (let seq = 0; seq * BLOB_CHUNK_BYTES < bytes.length; seq++) {
    await putBlobChunk(db, id, seq, bytes.subarray(seq * BLOB_CHUNK_BYTES, (seq + 1) * BLOB_CHUNK_BYTES))
  }
  return id
}

const chunkOf = statement((db, p: { blob_id: number; seq: number }) =>
  db.selectFrom('blob_chunk').select('data').where('blob_id', '=', p.blob_id).where('seq', '=', p.seq),
)

/** Reads the bytes of a blob from `start` up to `end`, in pieces, as far as it goes. */
export async function* readBlob(
  db: Db,
  blob_id: number,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  for (let seq = Math.floor(start / BLOB_CHUNK_BYTES); seq * BLOB_CHUNK_BYTES < end; seq++) {
    const [chunk] = await chunkOf(db, { blob_id, seq })
    if (!chunk) return
    const at = seq * BLOB_CHUNK_BYTES
    yield chunk.data.subarray(Math.max(0, start - at), end - at)
  }
}

/**
 * Removes some of a blob's last pieces, and the blob itself with its last piece. Returns whether the blob is gone.
 */
export async function shortenBlob(db: TxDb, blob_id: number, chunks: number): Promise<boolean> {
  const rows = await db
    .selectFrom('blob_chunk')
    .select('seq')
    .where('blob_id', '=', blob_id)
    .orderBy('seq', 'desc')
    .limit(chunks + 1)
    .execute()
  const last = rows.at(chunks)?.seq ?? -1
  await db.deleteFrom('blob_chunk').where('blob_id', '=', blob_id).where('seq', '>', last).execute()
  if (last !== -1) return false
  await db.deleteFrom('blob').where('id', '=', blob_id).execute()
  return true
}
