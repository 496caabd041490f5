import assert from 'node:assert/strict'
import * as v from 'valibot'
import { publicAction } from '../../src/core/kernel/action.ts'
import { ChatError } from '../../src/core/kernel/errors.ts'
import { bool, ids, integer, text } from '../../src/core/kernel/fields.ts'
import { StorageError } from '../../src/storage/index.ts'
import { echoing, failing, form, onBothTargets, one } from './targets.ts'

const echo = echoing({ a: v.nullish(text), n: v.nullish(integer), l: v.nullish(ids), b: v.nullish(bool) })

for (const method of ['POST', 'PATCH', 'DELETE']) {
  onBothTargets(`${method} merges query, form and multipart`, { routes: one(echo) }, async ({ ask }) => {
    const inForm = await ask('/x?n=1', { method, body: form({ a: 'b', l: '[1]' }) })
    assert.deepEqual(inForm.body.given, { a: 'b', n: 1, l: [1] })
    const multipart = new FormData()
    multipart.append('a', 'ü + & =')
    multipart.append('b', 'true')
    const inParts = await ask('/x?n=1', { method, body: multipart })
    assert.deepEqual(inParts.body.given, { a: 'ü + & =', n: 1, b: true })
    const inQuery = await ask('/x?a=%C3%BC+%2B&l=%5B1%2C2%5D', { method })
    assert.deepEqual(inQuery.body.given, { a: 'ü +', l: [1, 2] })
  })
}

onBothTargets('the envelope of a success', { routes: one(echo) }, async ({ ask }) => {
  const { status, headers, body } = await ask('/x?a=1&zz=1&client=me&yy=2')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(Object.keys(body), ['result', 'msg', 'given', 'client', 'origin', 'ignored_parameters_unsupported'])
  assert.deepEqual([body.result, body.msg, body.client], ['success', '', 'me'])
  assert.deepEqual(body.ignored_parameters_unsupported, ['zz', 'yy'])
  assert.equal('ignored_parameters_unsupported' in (await ask('/x?a=1')).body, false)
})

const empty = publicAction(
  { name: 'empty', summary: 'Nothing', params: v.object({}), result: v.any() },
  async () => ({}),
)
const prepared = publicAction(
  { name: 'prepared', summary: 'Prepared', params: v.object({}), result: v.any() },
  async () => ({
    wireMembers: () => '"events":[{"id":1}]',
  }),
)
onBothTargets(
  'answers without members, and with prepared ones',
  { routes: { '/e': { GET: empty }, '/p': { GET: prepared } } },
  async ({ ask }) => {
    assert.deepEqual((await ask('/e')).body, { result: 'success', msg: '' })
    assert.deepEqual((await ask('/p?zz=')).body, {
      result: 'success',
      msg: '',
      events: [{ id: 1 }],
      ignored_parameters_unsupported: ['zz'],
    })
  },
)

onBothTargets('a name sent twice', { routes: one(echo) }, async ({ ask }) => {
  const confusing = {
    result: 'error',
    msg: "Argument 'a' was sent twice with different values",
    code: 'REQUEST_CONFUSING_VAR',
    var_name: 'a',
  }
  const replies = [
    await ask('/x?a=1&a=2'),
    await ask('/x?a=1', { method: 'POST', body: form({ a: '2' }) }),
    await ask('/x', {
      method: 'POST',
      body: form([
        ['a', '1'],
        ['a', '2'],
      ]),
    }),
  ]
  const multipart = new FormData()
  multipart.append('a', '1')
  multipart.append('a', '2')
  replies.push(await ask('/x', { method: 'POST', body: multipart }))
  for (const { status, body } of replies) assert.deepEqual([status, body], [400, confusing])
  assert.deepEqual((await ask('/x?a=1&a=1', { method: 'POST', body: form({ a: '1' }) })).body.given, { a: '1' })
})

const inPath = echoing({ name: text, n: v.nullish(integer) })
const pathRoutes = { '/things/:name/parts/:n(\\d+)': { GET: inPath, POST: inPath } }
onBothTargets('the path wins, and says names as they are', { routes: pathRoutes }, async ({ ask }) => {
  const { body } = await ask('/things/a%20b%C3%BC%2Fc/parts/7?name=x&n=8', {
    method: 'POST',
    body: form({ name: 'y' }),
  })
  assert.deepEqual(body.given, { name: 'a bü/c', n: 7 })
  assert.equal('ignored_parameters_unsupported' in body, false)
  assert.equal((await ask('/things/a%2520b/parts/7')).body.given.name, 'a%20b')
  assert.equal((await ask('/things/a/parts/7/')).status, 200)
  assert.equal((await ask('/things/a/parts/seven')).status, 404)
})

onBothTargets('methods', { routes: { '/x': { GET: echo, DELETE: echo } } }, async ({ ask }) => {
  const wrong = await ask('/x', { method: 'POST', body: form({ a: '1' }) })
  assert.equal(wrong.status, 405)
  assert.equal(wrong.headers.get('allow'), 'GET, DELETE, HEAD, OPTIONS')
  assert.equal(wrong.body.code, 'METHOD_NOT_ALLOWED')
  const options = await ask('/x', { method: 'OPTIONS' })
  assert.deepEqual(
    [options.status, options.headers.get('allow'), options.body],
    [204, 'GET, DELETE, HEAD, OPTIONS', undefined],
  )
  const head = await ask('/x', { method: 'HEAD' })
  assert.deepEqual([head.status, head.body], [200, undefined])
})

onBothTargets('paths that do not exist', { routes: one(echo) }, async ({ ask }) => {
  const unknown = { result: 'error', msg: 'Unknown path', code: 'NOT_FOUND' }
  for (const path of ['/y', '//index.html', '//api/v2/x', '/x/y', '//api/v1', '/X']) {
    const { status, body } = await ask(path)
    assert.deepEqual([path, status, body], [path, 404, unknown])
  }
  const malformed = await ask('/%zz')
  assert.deepEqual([malformed.status, malformed.body.code], [400, 'BAD_REQUEST'])
})

onBothTargets('malformed forms', { routes: one(echo) }, async ({ ask }) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const replies = [await ask('/x?a=%zz'), await ask('/x', { method: 'POST', headers, body: 'a=%E4%' })]
  for (const { status, body } of replies) assert.deepEqual([status, body.msg], [400, 'Malformed form'])
  const many = new URLSearchParams(Array.from({ length: 1001 }, (_, i) => [`p${i}`, '']))
  assert.equal((await ask('/x', { method: 'POST', body: many })).body.msg, 'Too many parameters')
})

onBothTargets(
  'missing and wrong parameters',
  { routes: one(echoing({ n: integer, l: v.optional(ids) })) },
  async ({ ask }) => {
    assert.deepEqual((await ask('/x')).body, {
      result: 'error',
      msg: "Missing 'n' argument",
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'n',
    })
    assert.deepEqual((await ask('/x?n=a')).body, { result: 'error', msg: 'n is not an integer', code: 'BAD_REQUEST' })
    const { body } = await ask('/x?n=1&l=a')
    assert.deepEqual(body, { result: 'error', msg: 'Argument "l" is not valid JSON.', code: 'BAD_REQUEST' })
  },
)

const failures = {
  '/bad': failing(new ChatError('STREAM_DOES_NOT_EXIST', "Stream 'x' does not exist", { stream: 'x' })),
  '/closed': failing(new ChatError('UNAUTHORIZED_PRINCIPAL', 'Insufficient permission')),
  '/login': failing(new ChatError('AUTHENTICATION_FAILED', 'Wrong')),
  '/large': failing(new ChatError('TOO_LARGE', 'Too large')),
  '/media': failing(new ChatError('UNREADABLE_BODY', 'What?')),
  '/path': failing(new ChatError('NOT_FOUND', 'Where?')),
  '/rate': failing(new ChatError('RATE_LIMIT_HIT', 'Slow down', { 'retry-after': 2.3 })),
  '/full': failing(new StorageError('full', 'The disk is full. Nothing was stored.')),
  '/broken': failing(new StorageError('broken', 'select * from user')),
  '/shut': failing(new StorageError('closed', 'the store is closed')),
  '/misused': failing(new StorageError('misuse', 'a write was opened inside a write')),
  '/bug': failing(new TypeError('secret at /home/x')),
  '/thrown': failing('a string'),
}
const failureRoutes = Object.fromEntries(Object.entries(failures).map(([path, action]) => [path, { GET: action }]))
const expected: [path: string, status: number, code: string][] = [
  ['/bad', 400, 'STREAM_DOES_NOT_EXIST'],
  ['/closed', 400, 'UNAUTHORIZED_PRINCIPAL'],
  ['/login', 401, 'AUTHENTICATION_FAILED'],
  ['/large', 413, 'TOO_LARGE'],
  ['/media', 415, 'UNREADABLE_BODY'],
  ['/path', 404, 'NOT_FOUND'],
  ['/rate', 429, 'RATE_LIMIT_HIT'],
  ['/full', 507, 'STORAGE_FULL'],
  ['/broken', 503, 'SERVICE_UNAVAILABLE'],
  ['/shut', 503, 'SERVICE_UNAVAILABLE'],
  ['/misused', 500, 'INTERNAL_ERROR'],
  ['/bug', 500, 'INTERNAL_ERROR'],
  ['/thrown', 500, 'INTERNAL_ERROR'],
]
onBothTargets('every status', { routes: failureRoutes }, async ({ ask, server }) => {
  for (const [path, status, code] of expected) {
    const reply = await ask(path)
    assert.deepEqual([path, reply.status, reply.body.result, reply.body.code], [path, status, 'error', code])
  }
  assert.equal((await ask('/bad')).body.stream, 'x')
  assert.equal((await ask('/login')).headers.get('www-authenticate'), 'Basic realm="zulip"')
  const rate = await ask('/rate')
  assert.deepEqual([rate.headers.get('retry-after'), rate.body['retry-after']], ['3', 2.3])

  const broken = await ask('/broken')
  assert.deepEqual(broken.body, {
    result: 'error',
    msg: 'The server is unavailable. Try again soon',
    code: 'SERVICE_UNAVAILABLE',
    'retry-after': 5,
  })
  assert.equal(broken.headers.get('retry-after'), '5')

  const before = server.log.length
  const bug = await ask('/bug')
  const id = bug.headers.get('x-request-id')!
  assert.deepEqual(bug.body, { result: 'error', msg: `Internal server error (request ${id})`, code: 'INTERNAL_ERROR' })
  assert.equal(server.log.length, before + 1)
  const detail = server.log.at(-1)!.details as { request_id: string; err: Error }
  assert.equal(detail.request_id, id)
  assert.match(detail.err.stack!, /TypeError: secret[\s\S]+requests\.test\.ts/)
})
