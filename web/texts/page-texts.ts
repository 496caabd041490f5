import { pages } from './en/pages.ts'
import { inOrder } from './in-order.ts'
import { loaded } from './loaded.ts'

export type PageTexts = typeof pages

/** The texts of the settings and of everything else that is loaded with them, by view. */
export const pageTexts: PageTexts = loaded.pages ? inOrder(pages, loaded.pages) : pages
