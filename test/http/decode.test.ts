import assert from 'node:assert/strict'
import test from 'node:test'
import * as v from 'valibot'
import { check } from '../../src/core/kernel/check.ts'
import { isChatError } from '../../src/core/kernel/errors.ts'
import { bool, id, ids, integer, text, uploadedFile } from '../../src/core/kernel/fields.ts'
import { decode, ignoredNames, planOf } from '../../src/http/decode.ts'

const to = v.union([v.array(v.union([v.number(), v.string()])), v.number(), v.string()])
const color = v.picklist(['red', 'green'])

/** Schema, text on the wire, value that reaches the action or the sentence that refuses it. */
const table: [what: string, schema: v.GenericSchema, text: string, outcome: unknown][] = [
  ['text as it is', text, 'hello', 'hello'],
  ['text that looks like JSON', text, '{"a":1}', '{"a":1}'],
  ['text in quotes keeps them', text, '"x"', '"x"'],
  ['text that says null', v.nullish(text), 'null', 'null'],
  ['empty text', v.nullish(text), '', ''],
  ['one of some words', color, 'red', 'red'],
  ['none of some words', color, 'blue', 'Invalid x'],
  ['integer', integer, '12', 12],
  ['negative integer', integer, '-12', -12],
  ['integer written 1.0', integer, '1.0', 1],
  ['id where a name is as good', to, '12', 12],
  ['name that looks like a number', to, '1e0', '1e0'],
  ['name that looks like a fraction', to, '1.0', '1.0'],
  ['integer that is a word', integer, 'abc', 'x is not an integer'],
  ['integer in quotes', integer, '"12"', 'x is not an integer'],
  ['integer in hexadecimal', integer, '0x10', 'x is not an integer'],
  ['integer that is empty', integer, '', 'x is not an integer'],
  ['integer that is null', integer, 'null', 'x is not an integer'],
  ['fraction for an integer', integer, '1.5', 'x is not an integer'],
  ['infinity', integer, '1e999', 'x is not an integer'],
  ['beyond safe integers', integer, '9007199254740993', 'x is too large'],
  ['negative id', id, '-1', 'x is not a valid id'],
  ['boolean', bool, 'true', true],
  ['boolean false', bool, 'false', false],
  ['boolean that is a word', bool, 'yes', 'x is not a boolean'],
  ['boolean capitalized', bool, 'True', 'x is not a boolean'],
  ['boolean as number', bool, '1', 'x is not a boolean'],
  ['optional boolean that is null', v.nullish(bool), 'null', undefined],
  ['optional boolean that is empty', v.nullish(bool), '', undefined],
  ['optional boolean with default, null', v.nullish(bool, true), 'null', true],
  ['optional list that is null', v.nullish(ids), 'null', undefined],
  ['optional list that is empty text', v.optional(ids), '', undefined],
  ['list', ids, '[1,2]', [1, 2]],
  ['list with space around', ids, ' [1, 2] ', [1, 2]],
  ['list with commas only', ids, '1,2', 'Argument "x" is not valid JSON.'],
  ['list that is a word', ids, 'abc', 'Argument "x" is not valid JSON.'],
  ['list cut off', ids, '[1,2', 'Argument "x" is not valid JSON.'],
  ['list that is a number', ids, '7', 'x is not a list'],
  ['list with a word in it', ids, '[1,"a"]', 'x[1] is not an integer'],
  ['object for a list', ids, '{}', 'x is not a list'],
  ['object', v.object({ a: integer }), '{"a":1}', { a: 1 }],
  ['object with a prototype', v.object({ a: integer }), '{"a":1,"__proto__":{"b":2}}', { a: 1 }],
  ['to: a name', to, 'general', 'general'],
  ['to: a name in quotes', to, '"general"', 'general'],
  ['to: an id', to, '7', 7],
  ['to: ids', to, '[7,8]', [7, 8]],
  ['to: e-mails', to, '["a@b.c"]', ['a@b.c']],
  ['to: one bare e-mail', to, 'a@b.c', 'a@b.c'],
  ['to: a stream called true', to, 'true', 'true'],
  ['to: a stream called null', to, 'null', 'null'],
  ['to: a stream called {}', to, '{}', '{}'],
  ['to: a stream that begins like JSON', to, '[draft] notes', '[draft] notes'],
  ['to: a stream called 2026-11', to, '2026-11', '2026-11'],
  ['to: optional and null', v.nullish(to), 'null', undefined],
  ['anchor: a word', v.union([color, integer]), 'red', 'red'],
  ['anchor: a number', v.union([color, integer]), '12', 12],
  ['anything', v.unknown(), '{"a":[1]}', { a: [1] }],
  ['anything that is no JSON', v.unknown(), 'hello', 'hello'],
  ['32 levels', v.array(v.unknown()), '['.repeat(32) + ']'.repeat(32), JSON.parse('['.repeat(32) + ']'.repeat(32))],
  ['33 levels', v.array(v.unknown()), '['.repeat(33) + ']'.repeat(33), 'Argument "x" is not valid JSON.'],
  ['brackets in a string do not nest', v.array(v.string()), `["${'['.repeat(99)}\\""]`, [`${'['.repeat(99)}"`]],
  ['a lazy schema', v.lazy(() => ids), '[1]', [1]],
  ['a number from a set', v.picklist([1, 2]), '2', 2],
  ['a literal', v.literal('all'), 'all', 'all'],
  ['piped text', v.pipe(text, v.trim()), ' a ', 'a'],
]

for (const [what, schema, sent, outcome] of table) {
  test(`decode: ${what}`, () => {
    const params = v.object({ x: schema })
    let value: unknown
    try {
      value = check(params, decode(planOf(params), new Map([['x', sent]]))).x
    } catch (error) {
      assert.ok(isChatError(error))
      value = error.message
    }
    assert.deepEqual(value, outcome)
  })
}

test("decode: omits parameters that weren't sent", () => {
  assert.deepEqual(decode(planOf(v.object({ x: v.optional(text), y: integer })), new Map()), {})
})

test('decode: reports unknown names in the order they were sent', () => {
  const plan = planOf(v.object({ x: text }))
  const sent = new Map(['z', 'x', 'client', 'a', 'toString'].map((name) => [name, '']))
  assert.deepEqual(ignoredNames(plan, sent), ['z', 'a', 'toString'])
})

test('decode: a file is not a parameter', () => {
  const plan = planOf(v.object({ x: text, picture: uploadedFile, other: v.optional(text) }))
  assert.equal(plan.file?.name, 'picture')
  assert.deepEqual(
    plan.entries.map((entry) => entry.name),
    ['x', 'other'],
  )
})
