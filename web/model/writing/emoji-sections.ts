import { signal } from '@preact/signals'
import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'
import { perSession, type Session } from '../state/session.ts'
import { customEmoji, everyEmoji, POPULAR, uniqueByCode } from './emoji.ts'
import { emojiGroups } from './emoji-groups.ts'
import type { Emoji } from './react.ts'

/** Emoji by their category, in the order of the Unicode standard. */
export type EmojiSection = { name: SectionName; emoji: readonly Emoji[] }
export type SectionName = 'used' | 'custom' | (typeof groupNames)[number]
const groupNames = [
  'smileys',
  'people',
  'nature',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const

const USED = storedName('emoji-used')
const MOST_USED = 18
type Used = Record<string, { emoji: Emoji; count: number }>

const usedEmoji = perSession(() => signal<Used>(storedUsed()))

function storedUsed(): Used {
  try {
    return JSON.parse(browserStorage().getItem(USED) ?? '{}') as Used
  } catch {
    return {}
  }
}

/** Counts an emoji as used once more. All counts fade, so that habits can change. */
export function noteUsed(session: Session, emoji: Emoji): void {
  const known = usedEmoji(session)
  const key = emoji.reaction_type + emoji.emoji_code
  const faded = Object.entries(known.value).map(
    ([one, { emoji, count }]) => [one, { emoji, count: count * 0.95 }] as const,
  )
  const count = (known.value[key]?.count ?? 0) * 0.95 + 1
  const all = [...faded.filter(([one]) => one !== key), [key, { emoji, count }] as const]
  const kept = all.sort(([, a], [, b]) => b.count - a.count).slice(0, 4 * MOST_USED)
  known.value = Object.fromEntries(kept)
  browserStorage().setItem(USED, JSON.stringify(known.value))
}

/** All emoji by category: the ones used most, the organization's own, and the others. */
export function emojiSections(session: Session): EmojiSection[] {
  const custom = customEmoji(session)
  const byCode = new Map(uniqueByCode(everyEmoji()).map((emoji) => [emoji.emoji_code, emoji]))
  const known = new Set([...byCode.keys(), ...custom.map(({ emoji_code }) => emoji_code)])
  const used = Object.values(usedEmoji(session).value)
    .map(({ emoji }) => emoji)
    .filter(({ emoji_code }) => known.has(emoji_code))
  const popular = POPULAR.flatMap((code) => byCode.get(code) ?? [])
  const sections = groupNames.map((name, i) => ({
    name,
    emoji: emojiGroups[i]!.split(' ').flatMap((code) => byCode.get(code) ?? []),
  }))
  const grouped = new Set(sections.flatMap(({ emoji }) => emoji))
  const rest = [...byCode.values()].filter((emoji) => !grouped.has(emoji))
  const all = [
    { name: 'used' as const, emoji: uniqueByCode([...used, ...popular]).slice(0, MOST_USED) },
    { name: 'custom' as const, emoji: custom },
    ...sections.map((group) => (group.name === 'symbols' ? { ...group, emoji: [...group.emoji, ...rest] } : group)),
  ]
  return all.filter(({ emoji }) => emoji.length > 0)
}

/** Returns the other names of an emoji. */
export const aliasesOf = ({ emoji_code, emoji_name }: Emoji): string[] =>
  everyEmoji().flatMap((one) =>
    one.emoji_code === emoji_code && one.emoji_name !== emoji_name ? [one.emoji_name] : [],
  )
