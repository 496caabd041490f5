import { first } from './en/first.ts'
import { numbered } from './numbered.ts'

/** The texts of a language. English determines which texts exist, and which of them take names and numbers. */
export type Texts = typeof first

/**
 * The texts of the first script, by view. Another language replaces them before the first frame (`spoken.ts`), so read
 * them when they are shown, not when a module is evaluated.
 */
export const texts: Texts = numbered(first)
