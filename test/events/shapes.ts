/** Kinds of values, in words. */
const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: (value) => Number.isSafeInteger(value),
  'int or null': (value) => value === null || Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  'text or null': (value) => value === null || typeof value === 'string',
  'yes or no': (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  any: () => true,
}

export const isKind = (kind: string, value: unknown): boolean => kinds[kind]!(value)
