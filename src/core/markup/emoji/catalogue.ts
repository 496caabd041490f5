import { lazy } from '../../kernel/base/lazy.ts'
import table from './names.json' with { type: 'json' }

/** The one emoji that is neither Unicode nor uploaded; its reaction type is `zulip_extra_emoji`. */
export const extraEmoji = {
  code: 'zulip',
  name: 'zulip',
  url: '/static/generated/emoji/images/emoji/unicode/zulip.png',
} as const

/**
 * The names of Unicode emoji as clients of the API have them. Each text of the table is an emoji: its code, then its names,
 * the canonical one first. A code is hexadecimal codepoints of at least four digits, joined by `-`, without variation
 * selectors.
 */
const catalogue = lazy(() => {
  const namesByCode = new Map<string, readonly string[]>()
  const codeByName = new Map<string, string>()
  for (const line of table) {
    const [code, ...names] = line.split(' ') as [string, ...string[]]
    namesByCode.set(code, names)
    for (const name of names) codeByName.set(name, code)
  }
  return { namesByCode, codeByName }
})

/** The code of a Unicode emoji, `1f642` for `smile`, or undefined for an unknown name. */
export function emojiCode(name: string): string | undefined {
  return catalogue().codeByName.get(name)
}

/** Every name of a code, the canonical one first; none for an unknown code. */
export function emojiNames(code: string): readonly string[] {
  return catalogue().namesByCode.get(code) ?? []
}

/** All codes with all their names, for the emoji data file that clients fetch. */
export const codeToNames = (): ReadonlyMap<string, readonly string[]> => catalogue().namesByCode
