import assert from 'node:assert/strict'

/** Reads a value as the app does, and throws where the app would fail. The path is for the message. */
export type Decode = (value: unknown, path: string) => void

const kind =
  (what: string, is: (value: unknown) => boolean): Decode =>
  (value, path) =>
    assert.ok(is(value), `${path} should be ${what}, is ${JSON.stringify(value)}`)

/** Anchors reach 10^16, which is exact too. */
export const int = kind('an integer', Number.isInteger)
export const number = kind('a number', Number.isFinite)
export const text = kind('text', (value) => typeof value === 'string')
export const bool = kind('true or false', (value) => typeof value === 'boolean')
export const oneOf = (...values: readonly unknown[]): Decode =>
  kind(`one of ${values}`, (value) => values.includes(value))
export const matching = (pattern: RegExp): Decode =>
  kind(`text like ${pattern}`, (value) => typeof value === 'string' && pattern.test(value))
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const anObject = kind('an object', isObject)

export const nullable =
  (decode: Decode): Decode =>
  (value, path) =>
    value === null || decode(value, path)

export const listOf =
  (decode: Decode): Decode =>
  (value, path) => {
    kind('a list', Array.isArray)(value, path)
    for (const [i, one] of (value as unknown[]).entries()) decode(one, `${path}[${i}]`)
  }

/** An object whose keys are data. */
export const mapOf =
  (decode: Decode, key = /^/): Decode =>
  (value, path) => {
    anObject(value, path)
    for (const [name, one] of Object.entries(value as object)) {
      assert.match(name, key, path)
      decode(one, `${path}.${name}`)
    }
  }

type Fields = Readonly<Record<string, Decode>>

/** An object with these members. A name with a question mark may be missing or null. Others are not read. */
export const shape =
  (fields: Fields): Decode =>
  (value, path) => {
    anObject(value, path)
    const members = value as Readonly<Record<string, unknown>>
    for (const [field, decode] of Object.entries(fields)) {
      const name = field.replace(/\?$/, '')
      const isOptional = name !== field
      if (isOptional && (members[name] === undefined || members[name] === null)) continue
      assert.ok(name in members, `${path}.${name} is missing`)
      decode(members[name], `${path}.${name}`)
    }
  }

/** One of several forms, chosen by the value. */
export const choose =
  (pick: (value: Readonly<Record<string, unknown>>) => Decode): Decode =>
  (value, path) => {
    anObject(value, path)
    pick(value as Readonly<Record<string, unknown>>)(value, path)
  }
export const all =
  (...decoders: readonly Decode[]): Decode =>
  (value, path) => {
    for (const decode of decoders) decode(value, path)
  }
