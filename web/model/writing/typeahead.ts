import type { Conversation } from '../reading/conversations.ts'
import type { Session } from '../state/session.ts'
import { findEmoji, loadEmoji } from './emoji.ts'
import { emojiLabel } from './emoji-names.ts'
import { findCommands, findLanguages, findTimes } from './find-forms.ts'
import { findMentions } from './find-mentions.ts'
import { findStreams, findTopics } from './find-places.ts'
import { fromCode } from './from-code.ts'
import { emojiText, withSkinTone } from './skin-tone.ts'
import { MOST, type Suggestion } from './suggestion.ts'

export { findPeople } from './find-mentions.ts'

export interface Suggestions {
  /** Where in the text the word begins and ends. */
  from: number
  to: number
  items: readonly Suggestion[]
}

/** No word is longer. */
const LONGEST = 60

type Finder = (session: Session, word: string, target: Conversation | undefined) => Suggestion[]

/** The words there are, each by the end of the text before the caret. */
const finders: readonly [RegExp, Finder][] = [
  [/^(\/[a-z][a-z0-9_-]*|\/)$/i, findCommands],
  [/(?:^|\n)((?:`{3,}|~{3,}) ?[\w+#-]{1,20})$/, findLanguages],
  [/(<time:[^<>\n]{0,40})$/, findTimes],
  [/(?:^|[\s([{"'])(#(?:\*\*)?[^\s@#:*>][^@#*\n>]{0,40}>[^*\n]*)$/u, findTopics],
  [/(?:^|[\s([{"'])(@_?(?:(?:\*\*)?[^\s@#:*>][^@#:*\n]{0,40})?)$/u, findMentions],
  [/(?:^|[\s([{"'])(#(?:(?:\*\*)?[^\s@#:*>][^@#:*\n]{0,40})?)$/u, findStreams],
  // Not after a single letter, which makes a face such as ":D".
  [/(?:^|[\s([{"'])(:[\p{L}\p{M}\p{N}_+-]{2,40})$/u, findEmojiNames],
]

/** Suggestions for the word before the caret; none if it begins like none of them. */
export function suggest(
  session: Session,
  text: string,
  caret: number,
  target: Conversation | undefined,
): Suggestions | undefined {
  const start = Math.max(0, caret - LONGEST)
  // If the text was cut, this isn't its beginning.
  const before = (start > 0 ? ' ' : '') + text.slice(start, caret)
  for (const [pattern, find] of finders) {
    const [, word] = pattern.exec(before) ?? []
    if (word === undefined) continue
    const items = find(session, word, target)
    if (items.length > 0) return { from: caret - word.length, to: caret, items: items.slice(0, MOST) }
  }
  return undefined
}

function findEmojiNames(session: Session, word: string): Suggestion[] {
  loadEmoji()
  return findEmoji(session, word.slice(1), MOST).map((emoji) => ({
    label: emojiLabel(emoji),
    characters: emoji.reaction_type === 'unicode_emoji' ? (withSkinTone(emoji) ?? fromCode(emoji.emoji_code)) : '',
    insert: `${emojiText(emoji)} `,
  }))
}
