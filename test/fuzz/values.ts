import type { AnySchema } from '../../src/http/schema-kinds.ts'
import { onePixelPng } from '../fixtures/images.ts'

export interface Chance {
  /** An integer from 0 up to, and not including, this number. */
  below(sides: number): number
  pick<T>(list: readonly T[]): T
  /** True once in this many calls. */
  oneIn(sides: number): boolean
}

/** Values that exist in the world under test, by the name of the parameter that takes them. */
export type Known = Readonly<Record<string, readonly unknown[]>>

const long = (length: number) => 'x'.repeat(length)
const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

/** Text that has broken programs before. */
const texts = [
  ...[
    '',
    ' ',
    '0',
    '1',
    '-1',
    'a',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '""',
    '\\',
    "'; drop table user; --",
    '%',
    '%00',
  ],
  ...[
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'toString',
    '*',
    '@**all**',
    '#**general>x**',
    '/poll a\nb\nc',
    '/me x',
  ],
  ...[
    'NaN',
    'Infinity',
    '-0',
    '1e0',
    '01',
    '1.5',
    '1e400',
    '9007199254740993',
    '99999999999999999999999',
    '0x10',
    '١٢',
  ],
  ...[
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\ufeff',
    '\u00ad',
    'ẞßſK',
    'İ',
    'e\u0301',
    'é',
    '👩‍👩‍👧‍👦',
    '😀',
    'ﷺ',
  ],
  ...['\r\n', '\n', '\t', '✔ ', '✔ done', '(no topic)', 'general', 'verona', 'secret', 'GENERAL', ' general '],
  ...[
    long(60),
    long(61),
    long(1024),
    long(9999),
    long(10_001),
    '😀'.repeat(60),
    '😀'.repeat(2501),
    `${'>'.repeat(5000)}x`,
  ],
  ...[
    'iago@example.com',
    'IAGO@example.com',
    'nobody@example.com',
    'a@b',
    '1,2',
    'hamlet@example.com, iago@example.com',
  ],
  ...['2026-13-45', '2999-01-01T00:00:00Z', '253402300800', '99999999999', '999999999999.9', '2026-11-21', '-5'],
  ...['smile', 'heart', '1f642', '2764', 'zulip', 'unicode_emoji', 'realm_emoji', 'service_extra_emoji', 'blob'],
  ...[
    'newest',
    'oldest',
    'first_unread',
    'change_all',
    'change_later',
    'read',
    'starred',
    'start',
    'stop',
    'active',
    'idle',
  ],
]

const json = [
  ...[
    'null',
    'true',
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '[{}]',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":1}}',
  ],
  ...[
    '[1,1]',
    '["1"]',
    '[1.5]',
    '[-1]',
    '[1e400]',
    '[9007199254740993]',
    '[2147483648,4294967296]',
    '"\\ud800"',
    '["\\u0000"]',
  ],
  ...[
    deep(31),
    deep(33),
    deep(5000),
    `[${long(10)}`,
    `{"a":${deep(20)}}`,
    `[${'1,'.repeat(60_000)}1]`,
    'NaN',
    '{"a":1,"a":2}',
  ],
  ...['[{"operator":"search","operand":"\\"a"}]', '[["is","unread"],["near",1e99]]', '[{"name":"__proto__"}]'],
  ...[
    '{"direct_members":[1],"direct_subgroups":[1]}',
    '{"new":{"direct_members":[],"direct_subgroups":[]}}',
    '{"new":1,"old":2}',
  ],
]

const numbers = [0, 1, 2, 3, 5, 10, 60, 1000, 5000, 5001, -1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e300, -0]

/** A parameter as sent over the wire: usually valid, else almost valid or random. */
export function wireText(chance: Chance, name: string, schema: AnySchema, known: Known): string {
  if (chance.oneIn(20)) return chance.pick(texts)
  if (chance.oneIn(25)) return chance.pick(json)
  const value = sample(chance, name, schema, known)
  return typeof value === 'string' && !chance.oneIn(30) ? value : (JSON.stringify(value) ?? '')
}

interface Shape {
  type: string
  wrapped?: AnySchema
  options?: readonly unknown[]
  literal?: unknown
  item?: AnySchema
  items?: readonly AnySchema[]
  entries?: Readonly<Record<string, AnySchema>>
  key?: AnySchema
  value?: AnySchema
}

/** A value of the schema's type, preferably one that exists in the world under this name. */
function sample(chance: Chance, name: string, schema: AnySchema, known: Known): unknown {
  const shape = schema as unknown as Shape
  if (chance.oneIn(60)) return chance.pick([null, true, 0, '', [], {}, [[]]])
  if (shape.wrapped) return sample(chance, name, shape.wrapped, known)
  const ready = Object.hasOwn(known, name) ? known[name]! : []
  if (typeof ready[0] === 'object' && !chance.oneIn(5)) return chance.pick(ready)
  const inner = (item: AnySchema, as = name) => sample(chance, as, item, known)
  switch (shape.type) {
    case 'string':
      return Object.hasOwn(known, name) && !chance.oneIn(10) ? String(chance.pick(known[name]!)) : chance.pick(texts)
    case 'number': {
      const ids = Object.hasOwn(known, name) ? known[name]!.filter((value) => typeof value === 'number') : []
      return ids.length > 0 && !chance.oneIn(10) ? chance.pick(ids) : chance.pick(numbers)
    }
    case 'boolean':
      return chance.oneIn(2)
    case 'array':
      return Array.from({ length: chance.pick([0, 1, 1, 2, 3]) }, () => inner(shape.item!))
    case 'tuple':
      return shape.items!.map((item) => inner(item))
    case 'object':
    case 'strict_object':
    case 'loose_object': {
      const entries = Object.entries(shape.entries!).filter(() => !chance.oneIn(6))
      const values: [string, unknown][] = entries.map(([key, entry]) => [key, inner(entry, key)])
      if (chance.oneIn(20)) values.push(['__proto__', { polluted: true }])
      return Object.fromEntries(values)
    }
    case 'record': {
      const keys = chance.pick([[], ['1'], ['website'], ['__proto__'], ['1', 'x'], [chance.pick(texts)]])
      return Object.fromEntries(keys.map((key) => [key, inner(shape.value!)]))
    }
    case 'literal':
      return shape.literal
    case 'picklist':
      return chance.pick(shape.options!)
    case 'union':
    case 'variant':
      return inner(chance.pick(shape.options as AnySchema[]))
    default:
      return chance.pick<unknown>([...numbers, ...texts, null, [], {}])
  }
}

/** Bytes of a file: an image, a fake one, or half of one. */
export function fileBytes(chance: Chance): Uint8Array<ArrayBuffer> {
  const png = onePixelPng()
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
  return chance.pick([
    ...[png, png, png, png.slice(0, 40), new Uint8Array(0), bytes('GIF89a'), bytes('GIF89a\x01\0\x01\0\0\0\0;')],
    ...[
      bytes('<svg onload="alert(1)">'),
      bytes('\xff\xd8\xff\xe0'),
      bytes('RIFF\0\0\0\0WEBPVP8 '),
      new Uint8Array(2000),
    ],
  ])
}
