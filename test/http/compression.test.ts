import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import test from 'node:test'
import zlib from 'node:zlib'
import { serve as serveHono } from '@hono/node-server'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import * as v from 'valibot'
import { publicAction } from '../../src/core/kernel/action.ts'
import { none } from '../../src/core/kernel/fields.ts'
import { createApp, createChatServer } from '../../src/http/index.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { emptyServer } from '../../src/testing/server.ts'
import { addCrowd } from '../crowd.ts'
import { one } from './targets.ts'

interface Raw {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends a request over a socket, and returns the answer as it is on the wire. */
async function raw(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  const asked = request(url, { method, headers, agent: false }).end()
  const [answer] = await once(asked, 'response')
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => zlib.gunzipSync(body),
  br: (body) => zlib.brotliDecompressSync(body),
  zstd: (body) => zlib.zstdDecompressSync(body),
}
const encodings = Object.keys(decoders).filter((name) => name !== 'zstd' || 'zstdDecompressSync' in zlib)
const decoded = ({ headers, body }: Raw) =>
  JSON.parse((decoders[headers['content-encoding'] ?? ''] ?? ((bytes: Buffer) => bytes))(body).toString())

const authorization = ({ email, key }: Person) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
const serve = (w: World) => createChatServer({ chat: w.chat, rateLimit: false })

const words = 'words that repeat '.repeat(100)
const answering = (text: string, more: { secret?: true } = {}) =>
  publicAction(
    { name: 'answering', summary: 'Answer', params: none, result: v.strictObject({ text: v.string() }), ...more },
    async () => ({ text }),
  )

test("compresses answers from 1 KiB in the client's preferred encoding", async () => {
  await using server = await emptyServer({ routes: one(answering(words)) })
  const best = encodings.includes('zstd') ? 'zstd' : 'br'
  const cases: [accept: string | undefined, encoding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', best],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip; q=0.2 , br ;q=0.9', 'br'],
    ['*', best],
    ['gzip, *;q=0', 'gzip'],
    ['zstd;q=0, br;q=0, *', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=nonsense', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['deflate, compress', undefined],
  ]
  for (const [accept, encoding] of cases) {
    const answer = await raw(`${server.url}/api/v1/x`, accept === undefined ? {} : { 'accept-encoding': accept })
    assert.deepEqual([accept, answer.headers['content-encoding']], [accept, encoding])
    assert.equal(answer.headers.vary, 'accept-encoding')
    assert.equal(Number(answer.headers['content-length']), answer.body.length)
    assert.equal(decoded(answer).text, words)
    if (encoding) assert.ok(answer.body.length < 200, `${answer.body.length} bytes`)
  }
})

test('sends shorter answers uncompressed unless the client rejects that', async () => {
  const routes = { '/short': { GET: answering('x'.repeat(900)) }, '/enough': { GET: answering('x'.repeat(1000)) } }
  await using server = await emptyServer({ routes })
  const ask = (path: string, accept: string) => raw(`${server.url}/api/v1${path}`, { 'accept-encoding': accept })
  const short = await ask('/short', 'gzip, br')
  assert.deepEqual([short.headers['content-encoding'], short.headers.vary], [undefined, undefined])
  assert.equal((await ask('/enough', 'gzip')).headers['content-encoding'], 'gzip')
  assert.equal((await ask('/short', 'gzip, identity;q=0')).headers['content-encoding'], 'gzip')
  assert.equal((await ask('/short', 'gzip, *;q=0')).headers['content-encoding'], 'gzip')
  assert.equal((await ask('/short', 'gzip, identity;q=0.1')).headers['content-encoding'], undefined)
})

test('HEAD returns the headers of GET without a body', async () => {
  await using server = await emptyServer({ routes: one(answering(words)) })
  const headers = { 'accept-encoding': 'gzip' }
  const [get, head] = [
    await raw(`${server.url}/api/v1/x`, headers),
    await raw(`${server.url}/api/v1/x`, headers, 'HEAD'),
  ]
  const without = ({ date: _, ...rest }: IncomingHttpHeaders) => rest
  assert.deepEqual(without(head.headers), without(get.headers))
  assert.equal(head.body.length, 0)
})

test('errors are sent unchanged', async () => {
  await using server = await emptyServer({ routes: one(answering(words)) })
  const { status, headers, body } = await raw(`${server.url}/api/v1/x`, { 'accept-encoding': 'gzip' }, 'PUT')
  assert.deepEqual([status, headers['content-encoding']], [405, undefined])
  assert.equal(JSON.parse(body.toString()).code, 'METHOD_NOT_ALLOWED')
})

test("doesn't compress answers that contain a secret", async () => {
  await using server = await emptyServer({ routes: one(answering(words, { secret: true })) })
  const { headers, body } = await raw(`${server.url}/api/v1/x`, { 'accept-encoding': 'gzip, identity;q=0' })
  assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined])
  assert.equal(JSON.parse(body.toString()).text, words)
})

test('the app offers the same encodings to requests without a socket, and none by default', async () => {
  await using server = await emptyServer({ routes: one(answering(words)) })
  const plain = await server.fetch('/api/v1/x')
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(((await plain.json()) as { text: string }).text, words)
  const packed = await server.fetch('/api/v1/x', { headers: { 'accept-encoding': 'gzip' } })
  assert.equal(packed.headers.get('content-encoding'), 'gzip')
  const bytes = Buffer.from(await packed.arrayBuffer())
  assert.equal(Number(packed.headers.get('content-length')), bytes.length)
  assert.equal(JSON.parse(zlib.gunzipSync(bytes).toString()).text, words)
})

test('compresses the state of 2,000 people in parts, identically for every client', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await addCrowd(hamlet, 2000)
  await using server = await serve(w)
  const ask = (accept: string, path = '/register', method = 'POST') =>
    raw(`${server.url}/api/v1${path}`, { authorization: authorization(hamlet), 'accept-encoding': accept }, method)
  const { queue_id: _, ...plain } = decoded(await ask('identity'))
  assert.ok(plain.realm_users.length > 2000)
  const answers = await Promise.all([...encodings, ...encodings, ...encodings].map((encoding) => ask(encoding)))
  for (const [i, answer] of answers.entries()) {
    const { queue_id: __, ...state } = decoded(answer)
    assert.equal(answer.headers['content-encoding'], encodings[i % encodings.length])
    assert.deepEqual(state, plain)
    assert.ok(answer.body.length < 60_000, `${answer.body.length} bytes`)
  }
  for (const encoding of encodings) {
    const users = await ask(encoding, '/users', 'GET')
    assert.ok(decoded(users).members.length > 2000)
    const head = await ask(encoding, '/users', 'HEAD')
    assert.deepEqual([head.headers['content-encoding'], head.body.length], [encoding, 0])
  }
})

test("clients that disconnect during a compressed answer don't hold up others", async () => {
  await using w = await world()
  const { hamlet } = w.people
  await addCrowd(hamlet, 2000)
  await using server = await serve(w)
  const headers = { authorization: authorization(hamlet), 'accept-encoding': 'gzip' }
  for (let i = 0; i < 6; i++) {
    const asked = request(`${server.url}/api/v1/users`, { headers, agent: false }).end()
    const [answer] = await once(asked, 'response')
    answer.destroy()
  }
  const { body } = await raw(`${server.url}/api/v1/users`, headers)
  assert.ok(JSON.parse(zlib.gunzipSync(body).toString()).members.length > 2000)
})

test("doesn't compress states and events with an outgoing webhook's token", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await addCrowd(hamlet, 100)
  await using server = await serve(w)
  const encodingOf = async (person: Person, path: string, method = 'GET') => {
    const headers = { authorization: authorization(person), 'accept-encoding': 'gzip' }
    const answer = await raw(`${server.url}/api/v1${path}`, headers, method)
    assert.equal(decoded(answer).result, 'success')
    return answer.headers['content-encoding']
  }
  assert.equal(await encodingOf(hamlet, '/register', 'POST'), 'gzip')
  const { queue_id } = await hamlet.api.post('/register')
  const poll = () => encodingOf(hamlet, `/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`)
  for (let i = 0; i < 20; i++)
    await iago.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: words })
  assert.equal(await poll(), 'gzip')
  const bot = { full_name: 'Hook', short_name: 'hook', bot_type: 3, payload_url: 'https://example.com/' }
  await hamlet.api.post('/bots', bot)
  assert.equal(await poll(), undefined)
  assert.equal(await encodingOf(hamlet, '/register', 'POST'), undefined)
})

test('compresses poll answers from 8 KiB', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await using server = await serve(w)
  const { queue_id } = await hamlet.api.post('/register', { event_types: ['message'] })
  const send = () => iago.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: words })
  const poll = async () => {
    const url = `${server.url}/api/v1/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`
    const answer = await raw(url, { authorization: authorization(hamlet), 'accept-encoding': 'gzip' })
    return { events: decoded(answer).events.length, encoding: answer.headers['content-encoding'] }
  }
  await send()
  assert.deepEqual(await poll(), { events: 1, encoding: undefined })
  for (let i = 0; i < 5; i++) await send()
  assert.deepEqual(await poll(), { events: 6, encoding: 'gzip' })
})

test("doesn't compress event streams", async () => {
  await using w = await world()
  const { hamlet } = w.people
  await using server = await serve(w)
  const { queue_id } = await hamlet.api.post('/register')
  const headers = { authorization: authorization(hamlet), 'accept-encoding': 'gzip' }
  const asked = request(`${server.url}/api/v1/events/stream?queue_id=${queue_id}`, { headers, agent: false }).end()
  const [answer] = await once(asked, 'response')
  assert.deepEqual([answer.statusCode, answer.headers['content-encoding']], [200, undefined])
  answer.destroy()
})

test('serves static JSON in each encoding with its own ETag', async () => {
  await using server = await emptyServer({})
  const url = `${server.url}/api/v1/openapi.json`
  const plain = await raw(url)
  const etags = new Set([plain.headers.etag])
  for (const encoding of encodings) {
    const answer = await raw(url, { 'accept-encoding': encoding })
    const { etag = '', vary } = answer.headers
    assert.deepEqual([answer.headers['content-encoding'], vary], [encoding, 'accept-encoding'])
    assert.equal(Number(answer.headers['content-length']), answer.body.length)
    assert.ok(answer.body.length * 10 < plain.body.length, `${answer.body.length} bytes`)
    assert.deepEqual(decoded(answer), decoded(plain))
    etags.add(etag)
    const again = await raw(url, { 'accept-encoding': encoding, 'if-none-match': etag })
    assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag])
    assert.equal((await raw(url, { 'if-none-match': etag })).status, 200)
    const part = await raw(url, { 'accept-encoding': encoding, range: 'bytes=0-9', 'if-range': etag })
    assert.deepEqual([part.status, part.body], [206, answer.body.subarray(0, 10)])
  }
  assert.equal(etags.size, encodings.length + 1)
})

test("Hono's own compression leaves compressed answers alone", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const site = new Hono().use(compress())
  const app = createApp({ chat: w.chat, rateLimit: false })
  site.all('*', (c) => app.fetch(c.req.raw))
  const host = await new Promise<{ port: number; close(): unknown }>((resolve) => {
    const options = { fetch: site.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }
    const server = serveHono(options, ({ port }) => resolve({ port, close: () => server.close() }))
  })
  try {
    const answer = await raw(`http://127.0.0.1:${host.port}/api/v1/openapi.json`, { 'accept-encoding': 'gzip' })
    assert.deepEqual([answer.headers['content-encoding'], decoded(answer).openapi !== undefined], ['gzip', true])
    const headers = { 'accept-encoding': 'gzip', authorization: authorization(hamlet) }
    const state = await raw(`http://127.0.0.1:${host.port}/api/v1/register`, headers, 'POST')
    assert.deepEqual([state.headers['content-encoding'], decoded(state).result], ['gzip', 'success'])
  } finally {
    host.close()
  }
})
