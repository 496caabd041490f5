import { language } from '../state/language.ts'
import { folded } from './matching.ts'

/** What an emoji is called in the reader's language. */
export interface LocalName {
  name: string
  /** The name and other words to find it by, folded. */
  words: readonly string[]
}

/** Fetches the names of emoji in the page's language. `scripts/emoji-names.ts` wrote the files, from Unicode's CLDR. */
export async function readEmojiNames(): Promise<ReadonlyMap<string, LocalName>> {
  const { body } = await fetch(new URL(`./emoji-names/${language}.bin`, import.meta.url))
  return namesIn(await new Response(body!.pipeThrough(new DecompressionStream('gzip'))).text())
}

/** Reads lines of a code, a name and other words. */
export const namesIn = (text: string): ReadonlyMap<string, LocalName> =>
  new Map(
    text.split('\n').map((line) => {
      const [code = '', name = '', ...others] = line.split('\t')
      return [code, { name, words: [name, ...others].map(folded) }]
    }),
  )
