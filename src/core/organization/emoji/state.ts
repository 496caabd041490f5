import { statePart } from '../../events/log/state-part.ts'
import { customEmojiById } from '../../shapes/emoji.ts'
import { customEmojiViews } from './custom-emoji.ts'

/** The emoji part of register's state. */
export const emojiState = statePart({ realm_emoji: customEmojiById }, async (tx) => ({
  realm_emoji: await customEmojiViews(tx),
}))
