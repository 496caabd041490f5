import { signal } from '@preact/signals'
import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'
import { fromCode } from './from-code.ts'
import type { Emoji } from './react.ts'

/** The tones of the Unicode standard by the characters that ask for them, and none. */
export const tones = {
  none: '',
  light: '\u{1f3fb}',
  mediumLight: '\u{1f3fc}',
  medium: '\u{1f3fd}',
  mediumDark: '\u{1f3fe}',
  dark: '\u{1f3ff}',
} as const
export type Tone = keyof typeof tones

const STORED = storedName('skin-tone')
const stored = browserStorage().getItem(STORED) ?? ''
const chosen = signal<Tone>(Object.hasOwn(tones, stored) ? (stored as Tone) : 'none')

/** The skin tone that this browser remembers. */
export const skinTone = (): Tone => chosen.value

export function chooseSkinTone(tone: Tone): void {
  chosen.value = tone
  browserStorage().setItem(STORED, tone)
}

/** Parts of emoji that can have a tone, with the sign that asks for a picture. */
const people = /(\p{Emoji_Modifier_Base})\ufe0f?/gu
/** Signs that ask for a picture inside of a longer emoji, such as the sign of a woman. */
const inside = /(?<=\u200d)([\u2640\u2642\u2695\u2696\u2708\u2764])(?!\ufe0f)/gu

/**
 * The emoji with the chosen skin tone as characters; undefined if it has none. The API has no codes for them: they are
 * part of a message's text, and reactions and statuses have no tone.
 */
export function withSkinTone({ emoji_code, reaction_type }: Emoji): string | undefined {
  const tone = tones[chosen.value]
  if (tone === '' || reaction_type !== 'unicode_emoji') return undefined
  const toned = fromCode(emoji_code).replace(people, `$1${tone}`).replace(inside, '$1\ufe0f')
  return toned.includes(tone) && isEmoji(toned) ? toned : undefined
}

/** The emoji that the standard recommends: families, for example, have no tone. Older browsers don't know the list. */
const recommended = (() => {
  // Not a literal: a browser that doesn't know the flag couldn't read the whole script.
  const [standard, flag] = ['^\\p{RGI_Emoji}$', 'v']
  try {
    return new RegExp(standard, flag)
  } catch {
    return undefined
  }
})()
const isEmoji = (text: string): boolean => recommended?.test(text) ?? [...text].length === 2

/** What a message has for an emoji: the characters of one with a skin tone, or else its name. */
export const emojiText = (emoji: Emoji): string => withSkinTone(emoji) ?? `:${emoji.emoji_name}:`
