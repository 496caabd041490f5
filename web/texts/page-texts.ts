import { pages } from './en/pages.ts'

export type PageTexts = typeof pages

/** The texts of the settings and of everything else that is loaded with them, by view. */
export const pageTexts: PageTexts = pages
