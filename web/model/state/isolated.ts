/** Letters that are written from the right, and characters that turn the direction. */
const turning =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1ef00}]/u

/** Isolates the direction of a name in plain text, such as the window's title. */
export const isolated = (name: string): string =>
  turning.test(name) || globalThis.document?.dir === 'rtl'
    ? `\u2068${name.replace(/[\u2066-\u2069]/g, '')}\u2069`
    : name
