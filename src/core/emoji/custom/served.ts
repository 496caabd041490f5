import { readBlob } from '../../../storage/index.ts'
import type { Chat } from '../../chat.ts'
import { storeOf } from '../../store.ts'
import { joined } from './image/format.ts'
import { formatOf } from './image/read.ts'

/** An image on its way out: piece by piece, so that no more than one piece is held. */
export interface ServedImage {
  content_type: string
  size: number
  chunks: AsyncIterable<Uint8Array>
}

/** The image of a custom emoji, deactivated or not. */
export async function customEmojiImage(chat: Chat, id: number): Promise<ServedImage | undefined> {
  const row = await storeOf(chat)
    .db.selectFrom('custom_emoji')
    .innerJoin('blob', 'blob.id', 'custom_emoji.blob_id')
    .select(['custom_emoji.blob_id', 'custom_emoji.content_type', 'blob.size'])
    .where('custom_emoji.id', '=', id)
    .executeTakeFirst()
  return row && { content_type: row.content_type, size: row.size, chunks: readBlob(storeOf(chat).db, row.blob_id) }
}

/** The first frame of an animated custom emoji, for those who asked their client for calm. */
export async function customEmojiStill(chat: Chat, id: number): Promise<ServedImage | undefined> {
  const image = await customEmojiImage(chat, id)
  const format = image && formatOf(image.content_type)
  if (!format?.still) return undefined
  const parts: Uint8Array[] = []
  for await (const chunk of image!.chunks) parts.push(chunk)
  const still = format.still(joined(parts))
  return still && { content_type: image!.content_type, size: still.length, chunks: once(still) }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
