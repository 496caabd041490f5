import { pages } from './en/pages.ts'
import { inOrder } from './in-order.ts'
import { loaded } from './loaded.ts'
import { numbered } from './numbered.ts'

export type PageTexts = typeof pages

/** The texts of the settings and of everything else that is loaded with them, by view. */
export const pageTexts: PageTexts = numbered(loaded.pages ? inOrder(pages, loaded.pages) : pages)
