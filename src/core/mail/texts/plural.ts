/** The forms that each language of emails has for numbers. A text that lacks one does not compile. */
type Forms = {
  en: 'one' | 'other'
  de: 'one' | 'other'
  nl: 'one' | 'other'
  fr: 'one' | 'many' | 'other'
  es: 'one' | 'many' | 'other'
  it: 'one' | 'many' | 'other'
  'pt-br': 'one' | 'many' | 'other'
  pl: 'one' | 'few' | 'many' | 'other'
  ru: 'one' | 'few' | 'many' | 'other'
  uk: 'one' | 'few' | 'many' | 'other'
  ja: 'other'
  'zh-hans': 'other'
  ar: 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
}

/** A language in which emails are written. */
export type Language = keyof Forms

/** Chooses by a number between the forms that a language has for it, such as `one` and `other` in English. */
export function pluralOf<L extends Language>(language: L) {
  const rules = new Intl.PluralRules(language)
  return (count: number, forms: Record<Forms[L], string>): string => forms[rules.select(count) as Forms[L]]
}
