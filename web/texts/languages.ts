import type { PageTexts } from './page-texts.ts'
import type { PieceTexts } from './piece-texts.ts'
import type { Language } from './plural.ts'
import type { Texts } from './texts.ts'

/** A language's file for the first script, and its files for the parts that are loaded later. */
export interface LanguageFiles {
  readonly first: Texts
  rest(): Promise<readonly [{ pages: PageTexts }, { pieces: PieceTexts }]>
}

/** The languages that the page is translated into. English is part of the page. */
export const translations: Readonly<Record<Exclude<Language, 'en'>, () => Promise<LanguageFiles>>> = {
  ar: () => import('./ar/index.ts'),
  de: () => import('./de/index.ts'),
  es: () => import('./es/index.ts'),
  fr: () => import('./fr/index.ts'),
  it: () => import('./it/index.ts'),
  ja: () => import('./ja/index.ts'),
  nl: () => import('./nl/index.ts'),
  pl: () => import('./pl/index.ts'),
  'pt-br': () => import('./pt-br/index.ts'),
  ru: () => import('./ru/index.ts'),
  uk: () => import('./uk/index.ts'),
  'zh-hans': () => import('./zh-hans/index.ts'),
}
