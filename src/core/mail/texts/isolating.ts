import type { Language } from './plural.ts'

/** Languages written from right to left. */
const fromTheRight: readonly Language[] = ['ar']

export const isFromTheRight = (language: Language): boolean => fromTheRight.includes(language)

/** Values that stay unchanged: isolated ones, and addresses of pages, which programs turn into links. */
const UNCHANGED = /^(?:[\u2066-\u2068].*\u2069|https?:.*)?$/s

/** Isolates the direction of a name or a date. Otherwise Latin letters and punctuation beside it change places. */
const isolate = (value: unknown): unknown =>
  typeof value !== 'string' || UNCHANGED.test(value) ? value : `\u2068${value.replace(/[\u2066-\u2069]/g, '')}\u2069`

/** Returns texts of a language. If it is written from right to left, they isolate each name in them. */
export function isolating<T extends object>(language: Language, texts: T): T {
  return isFromTheRight(language) ? (isolated(texts) as T) : texts
}

const made = new WeakMap<object, object>()

function isolated(texts: object): object {
  const known = made.get(texts)
  if (known) return known
  const entries = Object.entries(texts).map(([name, text]) => [
    name,
    typeof text === 'function'
      ? (...values: unknown[]) => text(...values.map(isolate))
      : typeof text === 'object'
        ? isolated(text)
        : text,
  ])
  const result = Object.fromEntries(entries)
  made.set(texts, result)
  return result
}
