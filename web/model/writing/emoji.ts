import { later } from '../state/later.ts'
import type { Session } from '../state/session.ts'
import { loadEmojiNames, localNames } from './emoji-names.ts'
import { folded } from './matching.ts'
import type { Emoji } from './react.ts'

/** Some 40 kB, so they are fetched when they are first needed. */
const loaded = later(async (): Promise<readonly Emoji[]> => {
  const response = await fetch('static/emoji.json')
  const { code_to_names }: { code_to_names: Record<string, string[]> } = await response.json()
  return Object.entries(code_to_names)
    .flatMap(([emoji_code, names]) =>
      names.map((emoji_name) => ({ emoji_name, emoji_code, reaction_type: 'unicode_emoji' as const })),
    )
    .sort((a, b) => blockOf(a) - blockOf(b))
})
export const loadEmoji = (): void => {
  loaded.load()
  loadEmojiNames()
}
/** Whether the names of all emoji are here. */
export const isEmojiLoaded = (): boolean => loaded.part.value !== undefined
/** Every emoji, by all its names, once they are here. */
export const everyEmoji = (): readonly Emoji[] => loaded.part.value ?? []

/** In which order they are shown that nobody looked for: faces, hands and people, then the others, signs and letters last. */
const BLOCKS: readonly (readonly [from: number, to: number])[] = [
  [0x1f600, 0x1f64f],
  [0x1f910, 0x1f97a],
  [0x1f440, 0x1f4ff],
  [0x1f000, 0x1ffff],
]
function blockOf({ emoji_code }: Emoji): number {
  const first = Number.parseInt(emoji_code, 16)
  const block = BLOCKS.findIndex(([from, to]) => from <= first && first <= to)
  return block === -1 ? BLOCKS.length : block
}

export const POPULAR = ['1f44d', '1f389', '1f642', '2764', '1f6e0', '1f419', '1f440', '1f680', '2705', '1f914']

/** The organization's own emoji. */
export const customEmoji = ({ state }: Session): Emoji[] =>
  Object.values(state.realm_emoji)
    .filter(({ deactivated }) => !deactivated)
    .map(({ name, id }) => ({ emoji_name: name, emoji_code: String(id), reaction_type: 'realm_emoji' as const }))

/**
 * Emoji whose names have the words, in English or in the reader's language, those that begin with them first; the usual
 * ones without any.
 */
export function findEmoji(session: Session, words: string, most: number): Emoji[] {
  const query = words.trim().toLowerCase().replaceAll(' ', '_')
  const custom = customEmoji(session)
  if (query === '') {
    const usual = POPULAR.flatMap((code) => everyEmoji().find(({ emoji_code }) => emoji_code === code) ?? [])
    const rest = everyEmoji().filter(({ emoji_code }) => !POPULAR.includes(emoji_code))
    return uniqueByCode([...usual, ...custom, ...rest]).slice(0, most)
  }
  const local = localRanks(query.replaceAll('_', ' '))
  const rankOf = ({ emoji_name, emoji_code, reaction_type }: Emoji) =>
    Math.min(rank(emoji_name, query), reaction_type === 'unicode_emoji' ? (local.get(emoji_code) ?? NONE) : NONE)
  const matching = [...custom, ...everyEmoji()]
    .map((emoji) => ({ emoji, rank: rankOf(emoji), popularity: POPULAR.includes(emoji.emoji_code) ? 0 : 1 }))
    .filter((one) => one.rank < NONE)
    .sort((a, b) => a.rank - b.rank || a.popularity - b.popularity)
  return uniqueByCode(matching.map(({ emoji }) => emoji)).slice(0, most)
}

const NONE = 3
const rank = (name: string, query: string): number =>
  name === query ? 0 : name.startsWith(query) ? 1 : name.includes(query) ? 2 : NONE

/** How well names in the reader's language fit, by code. */
function localRanks(query: string): ReadonlyMap<string, number> {
  const wanted = folded(query)
  const ranks = new Map<string, number>()
  for (const [code, { words }] of localNames() ?? []) {
    const best = Math.min(...words.map((word) => rank(word, wanted)))
    if (best < NONE) ranks.set(code, best)
  }
  return ranks
}

export function uniqueByCode(emoji: readonly Emoji[]): Emoji[] {
  const byCode = new Map<string, Emoji>()
  for (const one of emoji)
    if (!byCode.has(one.reaction_type + one.emoji_code)) byCode.set(one.reaction_type + one.emoji_code, one)
  return [...byCode.values()]
}
