import type { MailTexts } from './en.ts'
import { isolating } from './isolating.ts'
import type { Language } from './plural.ts'

/** The languages of emails. Each is loaded when the first email in it is written. */
const catalogs: Readonly<Record<Language, () => Promise<{ texts: MailTexts }>>> = {
  en: () => import('./en.ts'),
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  'pt-br': () => import('./pt-br.ts'),
  ru: () => import('./ru.ts'),
  uk: () => import('./uk.ts'),
  'zh-hans': () => import('./zh-hans.ts'),
}

export const mailLanguages = Object.keys(catalogs) as readonly Language[]

/** Returns the language of emails for the language of an account, such as en-gb; undefined if there is none. */
export function spokenFor(code: string): Language | undefined {
  const [base] = code.split('-')
  // Readers of traditional characters have another language.
  const found = base === 'pt' ? 'pt-br' : /^zh(?:$|-cn|-sg|-hans)/.test(code) ? 'zh-hans' : base
  return mailLanguages.find((language) => language === found)
}

/** Loads the texts of emails in a language. */
export const textsIn = async (language: Language): Promise<MailTexts> =>
  isolating(language, (await catalogs[language]()).texts)
