/** The characters of an emoji, by the code of it: numbers of characters, with dashes between them. */
export const fromCode = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)))
