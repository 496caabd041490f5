import { isolating } from '../../core/mail/texts/isolating.ts'
import type { Language } from '../../core/mail/texts/plural.ts'
import type { FormTexts } from './en.ts'

/** The languages of the server's own pages, the same as in emails. Each is loaded with the first page in it. */
const catalogs: Readonly<Record<Language, () => Promise<{ texts: FormTexts }>>> = {
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

/** Loads the texts of the server's own pages in a language. */
export const pageTextsIn = async (language: Language): Promise<FormTexts> =>
  isolating(language, (await catalogs[language]()).texts)
