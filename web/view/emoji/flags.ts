import { later } from '../../model/state/later.ts'

const font = later(async () => (await import('./flag-font.ts')).addFlagFont())

/** Flags of countries, and of parts of the United Kingdom. */
const flags = /[\u{1f1e6}-\u{1f1ff}]|\u{1f3f4}\u{e0067}/u

/** Returns the characters of an emoji, for which a font is loaded if they are a flag that the system may not have. */
export function withFlags(characters: string): string {
  if (flags.test(characters)) font.load()
  return characters
}
