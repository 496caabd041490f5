import type { Language } from '../../texts/plural.ts'
import { offered } from '../../texts/spoken.ts'

/** Returns a language's name for itself. */
function ownName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

const named = <T extends string>(codes: readonly T[]) =>
  codes
    .map((code): readonly [code: T, name: string] => [code, ownName(code)])
    .sort(([, a], [, b]) => new Intl.Collator('en').compare(a, b))

/** The languages that the page speaks, by their names for themselves. */
export const languageChoices = (): readonly (readonly [code: Language, name: string])[] => named(offered)

/** The same with a language that other apps may have set. */
export const languageChoicesWith = (code: string): readonly (readonly [code: string, name: string])[] =>
  named([...new Set<string>([...offered, code])])
