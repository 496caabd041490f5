import { emojiCode, emojiNames } from './catalogue.ts'

/** Emoticons that become emoji for senders who have turned their translation on. */
const emoticons: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':P': 'stuck_out_tongue',
  ':p': 'stuck_out_tongue',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
}

/** An emoji found in running text. */
export interface EmojiInText {
  start: number
  end: number
  code: string
  name: string
}

/** The wire's spelling of an emoji: hexadecimal codepoints joined by `-`, variation selectors left out. */
function codeOf(emoji: string): string {
  return Array.from(emoji, (character) => character.codePointAt(0)!.toString(16).padStart(4, '0'))
    .filter((codepoint) => codepoint !== 'fe0f')
    .join('-')
}

// A possible emoji by Unicode Technical Standard 51 (1.4.9): a flag, or symbols joined with others.
const part = '\\p{Emoji}(?:\\p{Emoji_Modifier}|\\uFE0F\\u20E3?|[\\u{E0020}-\\u{E007E}]+\\u{E007F})?'
const clusters = new RegExp(`\\p{RI}{2}|${part}(?:\\u200D(?:\\p{RI}{2}|${part}))*`, 'gu')
/** Digits, ©, ↔ and the like are ordinary text unless a variation selector marks them as emoji. */
const prose = /^\P{Emoji_Presentation}\u20E3?$/u
const cheapTest = /[\u00a9\u00ae\u203c-\u3299]|[\ud83c-\ud83e]|\ufe0f/

/**
 * Finds emoji written as characters, left to right. One that is not in the catalogue (with a skin tone, for example)
 * stays text as a whole.
 */
export function emojiOfText(text: string): EmojiInText[] {
  if (!cheapTest.test(text)) return []
  const found: EmojiInText[] = []
  for (const { 0: cluster, index } of text.matchAll(clusters)) {
    if (prose.test(cluster)) continue
    const code = codeOf(cluster)
    const name = emojiNames(code)[0]
    if (name) found.push({ start: index, end: index + cluster.length, code, name })
  }
  return found
}

// An emoticon must be between spaces or punctuation: `(see:/tmp)` contains none.
const edge = '[\\s,.;?!()\\[\\]"\']'
const emoticonPattern = new RegExp(
  `(?<=^|${edge})(?:${Object.keys(emoticons)
    .map((emoticon) => emoticon.replace(/[()|/]/g, '\\$&'))
    .join('|')})(?=$|${edge})`,
  'g',
)

/** Finds emoticons such as `:)`, left to right. */
export function emoticonsOfText(text: string): EmojiInText[] {
  return Array.from(text.matchAll(emoticonPattern), (match) => {
    const name = emoticons[match[0]]!
    return { start: match.index, end: match.index + match[0].length, code: emojiCode(name)!, name }
  })
}
