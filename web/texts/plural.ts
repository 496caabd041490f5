/** Chooses by a number between the forms that a language has for it, such as `one` and `other` in English. */
export function pluralOf(language: string) {
  const rules = new Intl.PluralRules(language)
  return (count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }): string =>
    forms[rules.select(count)] ?? forms.other
}
