import { gemoji } from 'gemoji'
import { apiNames, emoticons } from './api-names.ts'

/** The one emoji that is neither Unicode nor uploaded; its reaction type is `zulip_extra_emoji`. */
export const extraEmoji = {
  code: 'zulip',
  name: 'zulip',
  url: '/static/generated/emoji/images/emoji/unicode/zulip.png',
} as const

/** The wire's spelling of an emoji: hexadecimal codepoints joined by `-`, variation selectors left out. */
function codeOf(emoji: string): string {
  return Array.from(emoji, (character) => character.codePointAt(0)!.toString(16))
    .filter((codepoint) => codepoint !== 'fe0f')
    .join('-')
}

const codeByName = new Map<string, string>()
const namesByCode = new Map<string, string[]>()

function addNames(code: string, names: readonly string[]) {
  const free = names.filter((name) => !codeByName.has(name))
  for (const name of free) codeByName.set(name, code)
  namesByCode.set(code, [...(namesByCode.get(code) ?? []), ...free])
}

// The table of the API comes first, so its names are canonical and cannot be taken.
for (const line of apiNames.trim().split('\n')) {
  const [code, ...names] = line.split(' ')
  addNames(code!, names)
}
for (const { emoji, names } of gemoji) addNames(codeOf(emoji), names)
// An emoji whose every name went to another still has to be nameable in a reaction.
for (const { emoji, description } of gemoji) {
  const code = codeOf(emoji)
  if (namesByCode.get(code)?.length === 0) addNames(code, [description.toLowerCase().replace(/[^a-z0-9]+/g, '_')])
}

/** The code of a Unicode emoji, `1f642` for `smile`, or undefined for a name nobody knows. */
export function emojiCode(name: string): string | undefined {
  return codeByName.get(name)
}

/** Every name of a code, the canonical one first; none for an unknown code. */
export function emojiNames(code: string): readonly string[] {
  return namesByCode.get(code) ?? []
}

/** All codes with all their names, for the emoji data file that clients fetch. */
export const codeToNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(namesByCode)

/** An emoji found in running text. */
export interface EmojiInText {
  start: number
  end: number
  code: string
  name: string
}

// One cluster: a keycap, a flag, or a pictograph with whatever is joined to it.
const part = '\\p{Extended_Pictographic}(?:\\uFE0F|\\p{Emoji_Modifier}|[\\u{E0020}-\\u{E007F}]+)*'
const clusters = new RegExp(`[#*0-9]\\uFE0F?\\u20E3|\\p{Regional_Indicator}{2}|${part}(?:\\u200D${part})*`, 'gu')
const cheapTest = /[\u00a9\u00ae\u203c-\u3299]|[\ud83c-\ud83e]|\u20e3/

/** Finds raw Unicode emoji, left to right. A cluster the catalogue lacks (a skin tone, say) stays text. */
export function emojiOfText(text: string): EmojiInText[] {
  if (!cheapTest.test(text)) return []
  const found: EmojiInText[] = []
  for (const match of text.matchAll(clusters)) {
    const cluster = match[0]
    // ©, ™, ↔ and their like are letters of ordinary prose unless marked as emoji.
    if (cluster < '\u2300' && cluster.length === 1) continue
    const code = codeOf(cluster)
    const name = namesByCode.get(code)?.[0]
    if (name) found.push({ start: match.index, end: match.index + cluster.length, code, name })
  }
  return found
}

// An emoticon stands alone between blanks or sentence marks: `(see:/tmp)` holds none.
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
    const code = emoticons[match[0]]!
    return { start: match.index, end: match.index + match[0].length, code, name: emojiNames(code)[0]! }
  })
}
