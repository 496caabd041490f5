import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { none } from '../../kernel/fields.ts'
import { customEmojiById } from '../../shapes/emoji.ts'
import { customEmojiViews } from './custom-emoji.ts'

/**
 * GET /realm/emoji: lists custom emoji, including deactivated ones because old messages use them.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const listCustomEmoji = action(
  {
    name: 'listCustomEmoji',
    summary: 'Get all custom emoji',
    params: none,
    result: v.strictObject({ emoji: customEmojiById }),
  },
  async (caller) => ({
    emoji: await customEmojiViews(caller),
  }),
)
