import { first } from './en/first.ts'

/** The texts of a language. English determines which texts exist, and which of them take names and numbers. */
export type Texts = typeof first

/** The texts of the first script, by view. */
export const texts: Texts = first
