import type { Caller } from '../../context.ts'
import { type CustomEmojiView, customEmojiViews } from './custom-emoji.ts'

/** What register says about emoji. */
export async function emojiState(caller: Caller): Promise<{ realm_emoji: Record<string, CustomEmojiView> }> {
  return { realm_emoji: await customEmojiViews(caller) }
}
