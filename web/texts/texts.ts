import { en } from './en.ts'

/** What a language has to say: English decides which texts there are, and which of them take names and numbers. */
export type Texts = typeof en

/** The texts of the first script, by view. */
export const texts: Texts = en
