import { language } from '../../model/state/language.ts'

/** Joins sentences as the language does: Japanese and Chinese have no spaces between them. */
export const inARow = (...sentences: readonly string[]): string =>
  sentences.join(/^(?:ja|zh)/.test(language) ? '' : ' ')
