import assert from 'node:assert/strict'
import * as v from 'valibot'
import { publicAction } from '../../src/core/kernel/action.ts'
import { bool, ids, integer, text } from '../../src/core/kernel/fields.ts'
import { echoing, form, onBothTargets, one } from './targets.ts'

const to = v.union([v.array(v.union([v.number(), v.string()])), v.number(), v.string()])
const echo = echoing({
  a: v.nullish(text),
  n: v.nullish(integer),
  l: v.nullish(ids),
  b: v.nullish(bool),
  to: v.nullish(to),
  any: v.optional(v.unknown()),
})
const needy = echoing({ n: integer })
const routes = { ...one(echo), '/needy': { POST: needy }, '/things/:a': { POST: echo } }

const json = (body: unknown, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

onBothTargets('a JSON object gives parameters with their own types', { routes }, async ({ ask }) => {
  const table: [sent: unknown, given: unknown][] = [
    [
      { a: 'x', n: 5, l: [1, 2], b: true },
      { a: 'x', n: 5, l: [1, 2], b: true },
    ],
    [
      { a: '5', to: '5' },
      { a: '5', to: '5' },
    ],
    [{ to: 5 }, { to: 5 }],
    [{ to: ['a@b.c', 7] }, { to: ['a@b.c', 7] }],
    [{ to: '[1,2]' }, { to: '[1,2]' }],
    [{ a: null, n: null, l: null, any: null }, {}],
    [{ any: { deep: ['ä', null] } }, { any: { deep: ['ä', null] } }],
    ['{"a":"\\u00e4 \\ud83d\\ude00"}', { a: 'ä 😀' }],
    ['{"a":"x","a2":1}', { a: 'x' }],
    ['', {}],
    ['{}', {}],
    [' {\n"a" : "x"} ', { a: 'x' }],
    ['\ufeff{"a":"x"}', { a: 'x' }],
  ]
  for (const [sent, given] of table) {
    const { status, body } = await ask('/x', json(sent))
    assert.deepEqual([sent, status, body.given], [sent, 200, given])
  }
  for (const method of ['PATCH', 'DELETE']) {
    assert.deepEqual((await ask('/x', { ...json({ n: 1 }), method })).body.given, { n: 1 })
  }
  const ignored = await ask('/x', json({ zz: 1, client: 'mine', a: 'x' }))
  assert.deepEqual([ignored.body.ignored_parameters_unsupported, ignored.body.client], [['zz'], 'mine'])
})

onBothTargets('values of the wrong JSON type are refused, not converted', { routes }, async ({ ask }) => {
  const table: [sent: object, msg: string][] = [
    [{ a: 5 }, 'a is not a string'],
    [{ n: '5' }, 'n is not an integer'],
    [{ n: 1.5 }, 'n is not an integer'],
    [{ l: '[1]' }, 'l is not a list'],
    [{ b: 'true' }, 'b is not a boolean'],
    [{ l: [1, 'x'] }, 'l[1] is not an integer'],
  ]
  for (const [sent, msg] of table) {
    const { status, body } = await ask('/x', json(sent))
    assert.deepEqual([sent, status, body.msg], [sent, 400, msg])
  }
  assert.equal((await ask('/needy', json({ n: null }))).body.msg, 'n is not an integer')
  assert.equal((await ask('/needy', json({}))).body.code, 'REQUEST_VARIABLE_MISSING')
})

onBothTargets('a JSON body that is no object of parameters is refused in words', { routes }, async ({ ask }) => {
  const notObject = 'The JSON body must be an object'
  const deep = (levels: number) => `{"any":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const table: [sent: string, status: number, code: string, msg: string][] = [
    ['{', 400, 'INVALID_JSON', 'Malformed JSON'],
    ['a=b', 400, 'INVALID_JSON', 'Malformed JSON'],
    [' ', 400, 'INVALID_JSON', 'Malformed JSON'],
    ["{'a':1}", 400, 'INVALID_JSON', 'Malformed JSON'],
    ['{"n":NaN}', 400, 'INVALID_JSON', 'Malformed JSON'],
    ['{"a":"x"}{}', 400, 'INVALID_JSON', 'Malformed JSON'],
    ['[]', 400, 'BAD_REQUEST', notObject],
    ['[{"a":"x"}]', 400, 'BAD_REQUEST', notObject],
    ['null', 400, 'BAD_REQUEST', notObject],
    ['"a"', 400, 'BAD_REQUEST', notObject],
    ['5', 400, 'BAD_REQUEST', notObject],
    ['{"n":1e400}', 400, 'BAD_REQUEST', 'n is not an integer'],
    ['{"n":9007199254740993}', 400, 'BAD_REQUEST', 'n is too large'],
    ['{"__proto__":{"a":"x"}}', 400, 'BAD_REQUEST', "The JSON body can't have a member named __proto__"],
    ['{"\\u005f_proto__":{"a":"x"}}', 400, 'BAD_REQUEST', "The JSON body can't have a member named __proto__"],
    [deep(33), 400, 'BAD_REQUEST', "The JSON body can't be nested deeper than 32 levels"],
    [deep(5000), 400, 'BAD_REQUEST', "The JSON body can't be nested deeper than 32 levels"],
    [`{"a":"${'x'.repeat(1024 * 1024)}"}`, 413, 'TOO_LARGE', 'The request is too large. The limit is 1024 KiB'],
  ]
  for (const [sent, status, code, msg] of table) {
    const reply = await ask('/x', json(sent))
    assert.deepEqual(
      [sent.slice(0, 40), reply.status, reply.body.code, reply.body.msg],
      [sent.slice(0, 40), status, code, msg],
    )
  }
  assert.equal((await ask('/x', json(deep(32)))).status, 200)
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`p${i}`, i]))
  assert.equal((await ask('/x', json(many))).body.msg, 'Too many parameters')
  assert.equal('a' in {}, false)
  const nested = await ask('/x', json('{"any":{"__proto__":{"polluted":true}}}'))
  assert.equal(nested.status, 200)
  assert.equal('polluted' in {}, false)
})

onBothTargets('a name sent twice, in the object or beside it', { routes }, async ({ ask }) => {
  const confusing = ['REQUEST_CONFUSING_VAR', 'a']
  for (const reply of [
    await ask('/x', json('{"a":"x","n":1,"a":"y"}')),
    await ask('/x', json('{"a":"x","\\u0061":"y"}')),
    await ask('/x?a=x', json({ a: 'y' })),
  ]) {
    assert.deepEqual([reply.status, reply.body.code, reply.body.var_name], [400, ...confusing])
  }
  assert.equal((await ask('/x?n=1', json({ n: 2 }))).body.var_name, 'n')
  // Members of what is inside are not parameters.
  assert.equal((await ask('/x', json('{"any":[{"a":1},{"a":2}],"a":"\\"a\\":{"}'))).body.given.a, '"a":{')
  assert.deepEqual((await ask('/x?n=1&a=x&b=true', json({ n: 1, a: 'x', b: true }))).body.given, {
    a: 'x',
    n: 1,
    b: true,
  })
  // The path takes precedence, as over a form.
  assert.deepEqual((await ask('/things/path', json({ a: 'body' }))).body.given, { a: 'path' })
})

onBothTargets('only UTF-8 is read, in JSON as in forms', { routes }, async ({ ask }) => {
  for (const type of ['application/json;charset=utf-8', 'application/json; charset="UTF-8"', 'Application/JSON; x=y']) {
    assert.deepEqual([type, (await ask('/x', json({ a: 'ä' }, type))).body.given], [type, { a: 'ä' }])
  }
  const latin = await ask('/x', json({ a: 'x' }, 'application/json; charset=latin1'))
  assert.deepEqual(
    [latin.status, latin.body.code, latin.body.msg],
    [415, 'UNREADABLE_BODY', 'Unsupported character set "latin1". Send UTF-8'],
  )
  const type = 'application/x-www-form-urlencoded; charset=iso-8859-1'
  assert.equal((await ask('/x', { ...json('a=x', type) })).status, 415)
  const broken = { ...json(''), body: Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d) }
  const { status, body } = await ask('/x', broken)
  assert.deepEqual([status, body.msg], [400, "The request body isn't valid UTF-8"])
})

const hook = publicAction(
  {
    name: 'takeAHook',
    summary: 'Take a hook',
    result: v.any(),
    params: v.object({ payload: v.optional(v.unknown()), topic: v.optional(text) }),
    body: { types: ['application/json'], param: 'payload' },
  },
  async (_, { payload, topic }) => ({ payload: payload ?? null, topic: topic ?? null }),
)
const note = publicAction(
  {
    name: 'takeANote',
    summary: 'Take a note',
    result: v.any(),
    params: v.object({ body: text }),
    body: { types: ['text/plain'], param: 'body' },
  },
  async (_, { body }) => ({ body }),
)
onBothTargets(
  'an action may take a whole body as one parameter, whatever JSON or text it is',
  { routes: { '/hook': { POST: hook }, '/note': { POST: note } } },
  async ({ ask }) => {
    const payload = [{ a: 1, topic: 'theirs' }, null, '__proto__']
    const { body } = await ask('/hook?topic=ours', json(payload))
    assert.deepEqual([body.payload, body.topic], [payload, 'ours'])
    assert.equal((await ask('/hook', json('{'))).body.code, 'INVALID_JSON')
    assert.equal((await ask('/hook', { method: 'POST', body: form({ payload: '{"a":1}' }) })).body.payload.a, 1)
    assert.equal((await ask('/note', json('héllo', 'text/plain; charset=utf-8'))).body.body, 'héllo')
    assert.equal((await ask('/note', json('x', 'text/html'))).status, 415)
  },
)
