import * as v from 'valibot'
import { joined } from '../../files/images/headers/format.ts'
import { formatOf } from '../../files/images/headers/read.ts'
import { servedBlob } from '../../files/served-blob.ts'
import { publicAction } from '../../kernel/action.ts'
import { type ServedFile, servedBytes, servedFile } from '../../kernel/answers.ts'
import type { Context } from '../../kernel/context.ts'
import { unknownPath } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'

const params = v.object({ file: described(text, 'File name: the ID of the emoji and the file extension.') })
const errors = ['NOT_FOUND'] as const
const served = { params, errors, result: servedFile, answers: 'bytes', limit: 'files' } as const
/** The bytes at an image's address never change, and messages show them on any site. */
const about = { cache: 'forever', embed: 'everywhere' } as const

/**
 * GET /user_avatars/1/emoji/images/{file}: returns the image of a custom emoji, active or not. No sign-in.
 *
 * @throws NOT_FOUND if there is no such image
 */
export const getCustomEmojiImage = publicAction(
  { name: 'getCustomEmojiImage', summary: 'Get the image of a custom emoji', ...served },
  async (context, { file }) => imageOf(context, file),
)

/**
 * GET /user_avatars/1/emoji/images/still/{file}: returns the first frame of an animated emoji, and other images
 * unchanged. No sign-in.
 *
 * @throws NOT_FOUND if there is none
 */
export const getCustomEmojiStill = publicAction(
  { name: 'getCustomEmojiStill', summary: 'Get the still image of an animated custom emoji', ...served },
  async (context, { file }) => {
    const image = await imageOf(context, file)
    const { content_type, size, version, read } = image
    const format = formatOf(content_type)
    if (!format?.still) return image
    const pieces: Uint8Array[] = []
    for await (const piece of read(0, size)) pieces.push(piece)
    const still = format.still(joined(pieces))
    if (!still) return image
    return servedBytes(still, { ...about, content_type, version: `${version}-still` })
  },
)

async function imageOf({ db }: Context, file: string): Promise<ServedFile> {
  const id = /^(\d{1,15})\.\w+$/.exec(file)?.[1]
  const row =
    id &&
    (await db
      .selectFrom('custom_emoji')
      .innerJoin('blob', 'blob.id', 'custom_emoji.blob_id')
      .select(['blob.id', 'custom_emoji.content_type', 'blob.size'])
      .where('custom_emoji.id', '=', Number(id))
      .executeTakeFirst())
  if (!row) throw unknownPath()
  return servedBlob(db, row, { ...about, version: `${id}-${row.size}` })
}
