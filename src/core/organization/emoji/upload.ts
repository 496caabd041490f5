import * as v from 'valibot'
import { flag, insertBlob } from '../../../storage/index.ts'
import { requirePermission } from '../../access/permissions.ts'
import { requireVoice } from '../../access/silence.ts'
import { checkImage } from '../../files/images/headers/read.ts'
import { action } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { MAX_CUSTOM_EMOJI } from '../../kernel/base/limits.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest, ChatError, notPermitted } from '../../kernel/errors.ts'
import { described, uploadedFile } from '../../kernel/fields.ts'
import { isAdministrator } from '../../kernel/roles.ts'
import { emojiCode, extraEmoji } from '../../markup/emoji/catalogue.ts'
import { empty } from '../../shapes/values.ts'
import { customEmojiById, customEmojiByName, emitCustomEmoji } from './custom-emoji.ts'
import { newEmojiName } from './names.ts'

/**
 * POST /realm/emoji/{emoji_name}: adds a custom emoji. The file's bytes decide its type, not its name.
 *
 * @throws BAD_IMAGE if the bytes aren't an image, or it is too wide or high
 * @throws TOO_LARGE
 * @throws SILENCED while a moderator has silenced the caller
 * @throws BAD_REQUEST without the permission, and for the name of a Unicode emoji
 * @throws BAD_REQUEST if the name is taken or invalid
 */
export const uploadCustomEmoji = action(
  {
    name: 'uploadCustomEmoji',
    summary: 'Upload custom emoji',
    audit: { subject: 'emoji', details: ({ emoji_name }) => ({ name: emoji_name }) },
    params: v.object({
      emoji_name: described(newEmojiName, 'Name of the new emoji: letters, digits, dashes and spaces.'),
      // Optional, because problems with the name are reported first, even without a file.
      filename: described(v.optional(uploadedFile), 'The image: PNG, GIF, JPEG or WebP.'),
    }),
    result: empty,
    idempotencyKey: 'one write',
    file: { maxBytes: ({ maxEmojiFileSizeMib }) => maxEmojiFileSizeMib * 1024 * 1024 },
    errors: ['BAD_IMAGE', 'SILENCED', 'TOO_LARGE'],
  },
  async (caller, { emoji_name, filename }) => {
    return caller.write(async (tx) => {
      await requirePermission(tx, 'can_add_custom_emoji_group')
      await requireVoice(tx)
      await requireFreeName(tx, emoji_name)
      if ((await customEmojiById(tx)).size >= MAX_CUSTOM_EMOJI) {
        throw badRequest(`An organization can have at most ${MAX_CUSTOM_EMOJI} custom emoji.`)
      }
      if (!filename) throw badRequest('You must upload exactly one file.')
      const { bytes } = filename
      requireSize(bytes, tx.chat.options.maxEmojiFileSizeMib)
      const { content_type, animated } = checkImage(bytes)
      const blob_id = await insertBlob(tx.db, bytes, content_type, seconds(tx.chat.clock))
      const { id } = await tx.db
        .insertInto('custom_emoji')
        .values({
          name: emoji_name,
          author_id: tx.user.id,
          is_deactivated: 0,
          blob_id,
          content_type,
          is_animated: flag(animated),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await emitCustomEmoji(tx, id)
      return {}
    })
  },
)

async function requireFreeName(tx: Tx, name: string): Promise<void> {
  if ((await customEmojiByName(tx)).has(name)) throw badRequest('A custom emoji with this name already exists.')
  const isDefault = emojiCode(name) !== undefined || name === extraEmoji.name
  // Messages that already contain the name would suddenly look different.
  if (isDefault && !isAdministrator(tx.user)) {
    throw notPermitted('Only administrators can override default emoji.')
  }
}

/** Specification, Limits: the server setting MAX_EMOJI_FILE_SIZE_MIB. */
function requireSize(bytes: Uint8Array, limitMib: number): void {
  if (bytes.length > limitMib * 1024 * 1024) {
    throw new ChatError('TOO_LARGE', `Uploaded file is larger than the allowed limit of ${limitMib} MiB`)
  }
}
