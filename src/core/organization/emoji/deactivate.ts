import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { absent, notPermitted } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { isAdministrator } from '../../kernel/roles.ts'
import { empty } from '../../shapes/values.ts'
import { customEmojiById, customEmojiByName, emitCustomEmoji } from './custom-emoji.ts'
import { emojiKey } from './names.ts'

/**
 * DELETE /realm/emoji/{emoji_name}: deactivates a custom emoji. Its image stays for the messages that use it, and its
 * name becomes available.
 *
 * @throws BAD_REQUEST (404) if no active emoji has the name
 * @throws BAD_REQUEST unless the caller uploaded it or is an administrator
 */
export const deactivateCustomEmoji = action(
  {
    name: 'deactivateCustomEmoji',
    summary: 'Deactivate custom emoji',
    audit: { subject: 'emoji', details: ({ emoji_name }) => ({ name: emoji_name, is_deactivated: 1 }) },
    params: v.object({ emoji_name: described(text, 'Name of the emoji.') }),
    result: empty,
  },
  async (caller, { emoji_name }) => {
    await caller.write(async (tx) => {
      const known = (await customEmojiByName(tx)).get(emojiKey(emoji_name))
      if (!known) throw absent(`Emoji '${emoji_name}' does not exist`)
      const emoji = (await customEmojiById(tx)).get(known.id)!
      if (!isAdministrator(tx.user) && emoji.author_id !== tx.user.id) {
        throw notPermitted('Must be an organization administrator or emoji author')
      }
      await tx.db.updateTable('custom_emoji').set({ is_deactivated: 1 }).where('id', '=', emoji.id).execute()
      await emitCustomEmoji(tx, emoji.id)
    })
    return {}
  },
)
