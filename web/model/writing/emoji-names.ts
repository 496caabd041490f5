import { language } from '../state/language.ts'
import { later } from '../state/later.ts'
import type { Emoji } from './react.ts'
import type { LocalName } from './read-emoji-names.ts'

const loaded = later(async () => (await import('./read-emoji-names.ts')).readEmojiNames())

/** Loads the names in the reader's language, some 30 kB. English ones are the server's. */
export const loadEmojiNames = (): void => {
  if (language !== 'en') loaded.load()
}

/** The names by code, once they are here. */
export const localNames = (): ReadonlyMap<string, LocalName> | undefined => loaded.part.value

/** Returns what to call an emoji: in the reader's language once its names are here, otherwise by its name in messages. */
export function emojiLabel({ emoji_name, emoji_code, reaction_type }: Emoji): string {
  const local = reaction_type === 'unicode_emoji' ? loaded.part.value?.get(emoji_code) : undefined
  return local?.name ?? emoji_name.replaceAll('_', ' ')
}
