/** Asks for the picture of a character that is also a letter or a sign, such as a heart or a digit. */
const AS_PICTURE = 0xfe0f
/** From here on all are pictures. */
const PICTURES = 0x1f000

/** The characters of an emoji, by the code of it: numbers of characters, with dashes between them. */
export function fromCode(code: string): string {
  const [first, ...rest] = code.split('-').map((part) => Number.parseInt(part, 16))
  const picture = first! < PICTURES && rest[0] !== AS_PICTURE ? [AS_PICTURE] : []
  return String.fromCodePoint(first!, ...picture, ...rest)
}
