import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from '../../src/core/kernel/errors.ts'
import type { RequestLogEntry } from '../../src/http/index.ts'
import { loggedPath } from '../../src/http/request-log.ts'
import { emptyServer } from '../../src/testing/server.ts'
import { eventually } from '../eventually.ts'
import { echoing, failing, form, ownerOf, whoAmI } from './targets.ts'

const routes = {
  '/me': { GET: whoAmI },
  '/echo': { GET: echoing({}), POST: echoing({}) },
  '/bug': { GET: failing(new TypeError('x')) },
  '/bad': { GET: failing(new ChatError('BAD_NARROW', 'x')) },
}

async function logged(options = {}) {
  const entries: RequestLogEntry[] = []
  const server = await emptyServer({ onRequest: (entry) => void entries.push(entry), ...options })
  return { server, entries, [Symbol.asyncDispose]: () => server.close() }
}

for (const way of ['socket', 'in process']) {
  test(`logs each request once answered (${way})`, async () => {
    await using w = await logged({ routes })
    const { authorization, user_id } = await ownerOf(w.server)
    const ask = (path: string, init: RequestInit = {}) =>
      way === 'socket' ? fetch(w.server.url + path, init) : w.server.fetch(path, init)
    const address = way === 'socket' ? '127.0.0.1' : undefined
    const table: [method: string, path: string, status: number, user: number | undefined, init?: RequestInit][] = [
      ['GET', '/api/v1/me', 200, user_id, { headers: { authorization } }],
      ['GET', '/api/v1/me', 401, undefined],
      ['POST', '/api/v1/echo?a=…', 200, undefined, { body: form({ a: 'secret' }) }],
      ['HEAD', '/api/v1/echo', 200, undefined],
      ['OPTIONS', '/api/v1/echo', 204, undefined],
      ['PUT', '/api/v1/echo', 405, undefined],
      ['GET', '/api/v1/bug', 500, undefined],
      ['GET', '/api/v1/bad', 400, undefined],
      ['GET', '/nowhere', 404, undefined],
      ['GET', '/health', 200, undefined],
    ]
    for (const [method, path, status, user, init] of table) {
      const response = await ask(path.replace('…', 'secret'), { method, ...init })
      const text = await response.text()
      const entry = w.entries.pop()!
      assert.deepEqual(
        [entry.method, entry.path, entry.status, entry.user_id, entry.address],
        [method, path, status, user, address],
      )
      assert.equal(entry.bytes, Buffer.byteLength(text), path)
      assert.ok(entry.ms >= 0)
      assert.equal(entry.time, w.server.clock.now())
      // Answers of the dispatcher have the id of their log entry.
      const id = response.headers.get('x-request-id')
      if (id !== null) assert.equal(id, entry.request_id)
      assert.ok(entry.request_id.length > 5)
    }
    assert.equal(w.entries.length, 0)
    const bug = await ask('/api/v1/bug')
    assert.equal(w.entries.pop()?.request_id, bug.headers.get('x-request-id'))
    const [failure] = w.server.log.slice(-1)
    assert.equal((failure!.details as { request_id: string }).request_id, bug.headers.get('x-request-id'))
  })
}

test('logs a streamed answer at its end with all its bytes', async () => {
  await using w = await logged()
  const { authorization } = await ownerOf(w.server)
  const ending = new AbortController()
  const response = await fetch(`${w.server.url}/api/v1/events/stream`, {
    headers: { authorization },
    signal: ending.signal,
  })
  const { value } = await response.body!.getReader().read()
  assert.equal(w.entries.length, 0)
  ending.abort()
  await eventually('the stream is logged', () => w.entries.length > 0)
  const [entry] = w.entries
  assert.deepEqual([entry!.path, entry!.status, entry!.bytes], ['/api/v1/events/stream', 200, value!.length])
  assert.equal(entry!.request_id, response.headers.get('x-request-id'))

  const path = '/api/v1/openapi.json'
  const headers = { 'accept-encoding': 'identity' }
  const file = await (await fetch(w.server.url + path, { headers })).arrayBuffer()
  await eventually('the file is logged', () => w.entries.length > 1)
  assert.deepEqual([w.entries[1]!.path, w.entries[1]!.bytes], [path, file.byteLength])

  // Of a compressed answer the log has the bytes that were sent, and not those that the client makes of them.
  const packed = await fetch(w.server.url + path, { headers: { 'accept-encoding': 'gzip' } })
  await packed.arrayBuffer()
  await eventually('the packed file is logged', () => w.entries.length > 2)
  assert.equal(w.entries[2]!.bytes, Number(packed.headers.get('content-length')))
  assert.ok(w.entries[2]!.bytes < file.byteLength / 2)
})

test('gives every request its own id', async () => {
  await using w = await logged({ routes })
  for (let i = 0; i < 50; i++) await w.server.fetch('/api/v1/echo')
  assert.equal(new Set(w.entries.map(({ request_id }) => request_id)).size, 50)
})

/** What the log shows of an address, found by a route. */
const pathOf = (address: string, route = '/x') =>
  loggedPath({ url: new URL(address, 'http://localhost'), context: { matchedRoute: { route } } as never })

test("logs a path's route words but no long values", () => {
  const key = 'abcdefghijklmnopqrstuvwxyzABCDEF'
  const table: [path: string, route: string, shown: string][] = [
    [
      '/api/v1/users/me/api_key/regenerate',
      '/api/v1/users/me/api_key/regenerate',
      '/api/v1/users/me/api_key/regenerate',
    ],
    ['/api/v1/messages/17/reactions', '/api/v1/messages/:message_id/reactions', '/api/v1/messages/17/reactions'],
    ['/a/subscription_properties/b', '/a/subscription_properties/:x', '/a/subscription_properties/b'],
    [`/reset/${key}`, '/reset/:token', '/reset/…'],
    [`/files/${key}/a.png`, '/files/:path/:name', '/files/…/a.png'],
    [`/nowhere/${key}`, '/**', '/nowhere/…'],
    [`/${key}`, '', '/…'],
  ]
  for (const [path, route, shown] of table) assert.deepEqual([path, pathOf(path, route)], [path, shown])
})

test('logs numbers but no words of a query', () => {
  const table: [search: string, shown: string][] = [
    ['', '/x'],
    ['?', '/x'],
    ['?anchor=5&num_before=-1&include=true', '/x?anchor=5&num_before=-1&include=true'],
    ['?content=hello%20world&to=general', '/x?content=…&to=…'],
    ['?api_key=abc&x=1', '/x?api_key=…&x=1'],
    ['?api_key=123456', '/x?api_key=…'],
    ['?old_password=123456&token=7&client_secret=8', '/x?old_password=…&token=…&client_secret=…'],
    ['?a=b=c&d&=e&f=', '/x?a=…&d=…&=…&f=…'],
  ]
  for (const [search, shown] of table) assert.deepEqual([search, pathOf(`/x${search}`)], [search, shown])
})
