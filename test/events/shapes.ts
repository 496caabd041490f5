import assert from 'node:assert/strict'

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

/** Member by member; a question mark after the kind says that it may be absent. */
export type Shape = Readonly<Record<string, string>>

/** Demands every member of the shape; with `exact`, no other. */
export function checkShape(name: string, value: object, shape: Shape, exact = false): void {
  const record = value as Record<string, unknown>
  for (const [member, kind] of Object.entries(shape)) {
    if (!(member in record)) {
      assert.ok(kind.endsWith('?'), `${name}.${member} is missing in ${JSON.stringify(value)}`)
      continue
    }
    const plain = kind.replace(/\?$/, '')
    assert.ok(isKind(plain, record[member]), `${name}.${member} should be ${plain}: ${JSON.stringify(record[member])}`)
  }
  if (!exact) return
  const unknown = Object.keys(record).filter((member) => !(member in shape))
  assert.deepEqual(unknown, [], `${name} has members the reference does not know: ${JSON.stringify(value)}`)
}
