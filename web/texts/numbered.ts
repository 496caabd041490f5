import { loaded } from './loaded.ts'

/** Smaller numbers are written without separators in every language. */
const SEPARATED = 1000

/** An amount that counts as a number and is written with the separators of the reader's language, such as 12,345. */
const amount = (value: unknown): unknown =>
  typeof value === 'number' && value >= SEPARATED
    ? { valueOf: () => value, toString: () => value.toLocaleString(loaded.locale?.()) }
    : value

/** Returns texts that write the numbers they are given as the reader's language does. IDs are given as strings. */
export const numbered = <T extends object>(texts: T): T =>
  (Array.isArray(texts)
    ? texts.map(numberedText)
    : Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, numberedText(text)]))) as T

const numberedText = (text: unknown): unknown =>
  typeof text === 'function'
    ? (...values: unknown[]) => text(...values.map(amount))
    : typeof text === 'object' && text !== null
      ? numbered(text)
      : text
