/** Letters of other scripts that look like Latin letters, each before the letter that it looks like. */
const PAIRS = 'аaвbсcԁdеeҽeԑeһhіiїiјjкkӏlмmнhոnоoрpԛqгrѕsтtуyѵvԝwхxүyγyαaβbεeηnιiκkνvοoρpτtυuχxωwɑaɡgıiոnսuօoցgհhѡw'

const latinOf = new Map<string, string>()
for (let i = 0; i < PAIRS.length; i += 2) latinOf.set(PAIRS[i]!, PAIRS[i + 1]!)

const LATIN = /[a-z]/
const LOOKALIKE = /[\u0131\u0251\u0261\u0370-\u03ff\u0400-\u058f]/

/** Returns a text with Latin letters in place of the ones of other scripts that look the same. */
export const withLatinLetters = (text: string): string =>
  LOOKALIKE.test(text) ? Array.from(text, (letter) => latinOf.get(letter) ?? letter).join('') : text

/**
 * Returns a text in the form in which words are compared: in lower case, without invisible characters, with one space
 * between words. A word that mixes scripts, such as "sраm" with Cyrillic letters, becomes Latin.
 */
export function normal(text: string): string {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (!LOOKALIKE.test(plain) || !LATIN.test(plain)) return plain
  return plain.replace(/[\p{L}\p{M}]+/gu, (word) => (LATIN.test(word) ? withLatinLetters(word) : word))
}

const LETTER = '[\\p{L}\\p{M}\\p{N}_]'
/** Scripts without spaces between words. */
const UNSPACED = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]'
const startsWithLetter = new RegExp(`^${LETTER}`, 'u')
const startsUnspaced = new RegExp(`^${UNSPACED}`, 'u')
const endsWithLetter = new RegExp(`${LETTER}$`, 'u')
const endsUnspaced = new RegExp(`${UNSPACED}$`, 'u')

/** Returns whether a word or phrase is in a text, and not only as a part of longer words. Both are in normal form. */
export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (
      isEdge(text.slice(Math.max(0, at - 2), at), word) &&
      isEdge(word, text.slice(at + word.length, at + word.length + 2))
    )
      return true
  }
  return false
}

/** Returns whether a word can begin between two texts. */
const isEdge = (before: string, after: string): boolean =>
  !endsWithLetter.test(before) ||
  !startsWithLetter.test(after) ||
  endsUnspaced.test(before) ||
  startsUnspaced.test(after)
