import type { Db, TxDb } from './handle.ts'

/** A large value in one row would be copied as a whole at every read; pieces of 256 KiB can be streamed. */
const CHUNK_BYTES = 256 * 1024

export async function insertBlob(
  db: TxDb,
  bytes: Uint8Array,
  content_type: string,
  created_at: number,
): Promise<number> {
  const { id } = await db
    .insertInto('blob')
    .values({ size: bytes.length, content_type, created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let seq = 0; seq * CHUNK_BYTES < bytes.length; seq++) {
    const data = bytes.subarray(seq * CHUNK_BYTES, (seq + 1) * CHUNK_BYTES)
    await db.insertInto('blob_chunk').values({ blob_id: id, seq, data }).execute()
  }
  return id
}

/** The pieces of a blob, in order; none if there is no such blob. */
export async function* readBlob(db: Db, blob_id: number): AsyncGenerator<Uint8Array> {
  for (let seq = 0; ; seq++) {
    const row = await db
      .selectFrom('blob_chunk')
      .select('data')
      .where('blob_id', '=', blob_id)
      .where('seq', '=', seq)
      .executeTakeFirst()
    if (!row) return
    yield row.data
  }
}
