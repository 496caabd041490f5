const LONGEST = 200

/** How Markdown is written, and what remains of it in plain text. */
const marks: readonly [mark: RegExp, text: string][] = [
  [/^\s*(?:`{3,}|~{3,}).*$/gm, ''],
  [/!?\[([^\]\n]*)\]\([^)\s]*\)/g, '$1'],
  [/@_?\*+([^*\n|]+)(?:\|\d+)?\*+/g, '@$1'],
  [/^\s*(?:>\s?|#{1,6}\s)+/gm, ''],
  [/\*{1,3}|~~|`+/g, ''],
  [/\s+/g, ' '],
]

/** The beginning of a Markdown text on one line, without its marks. */
export const firstWords = (markdown: string): string =>
  marks
    .reduce((text, [mark, plain]) => text.replace(mark, plain), markdown)
    .trim()
    .slice(0, LONGEST)
