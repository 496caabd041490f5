import { type LanguageFiles, translations } from './languages.ts'
import { loaded } from './loaded.ts'
import { numbered } from './numbered.ts'
import type { Language } from './plural.ts'
import { texts } from './texts.ts'

let files: Promise<LanguageFiles | undefined> | undefined
let rest: Promise<unknown> | undefined

/** The languages that the page speaks, English first. */
export const offered = ['en', ...Object.keys(translations)] as readonly Language[]

/**
 * Loads a language, before anything is drawn. Without a connection and without stored files, the page is English.
 * Returns undefined for English, which needs no files.
 */
export function speak(language: Language): Promise<unknown> | undefined {
  files = language === 'en' ? undefined : translations[language]().catch(() => undefined)
  return files?.then((language) => language && Object.assign(texts, numbered(language.first)))
}

/** Loads the language's other files. Returns undefined if there are none. */
export function loadRest(): Promise<unknown> | undefined {
  rest ??= files
    ?.then((language) => language?.rest())
    .then(
      (parts) => parts && Object.assign(loaded, ...parts),
      // The next part tries again.
      () => {
        rest = undefined
      },
    )
  return rest
}
