import { enPages } from './en-pages.ts'

export type PageTexts = typeof enPages

/** The texts of the settings and of everything else that is loaded with them, by view. */
export const pageTexts: PageTexts = enPages
