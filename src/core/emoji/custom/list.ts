import { action } from '../../action.ts'
import { none } from '../../fields.ts'
import { customEmojiViews } from './custom-emoji.ts'

/** GET /realm/emoji: deactivated ones too, since old messages use them. */
export const listCustomEmoji = action({ summary: 'Get all custom emoji', params: none }, async (caller) => ({
  emoji: await customEmojiViews(caller),
}))
