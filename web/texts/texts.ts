import { en } from './en.ts'

/** The texts of a language. English determines which texts exist, and which of them take names and numbers. */
export type Texts = typeof en

/** The texts of the first script, by view. */
export const texts: Texts = en
