import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import test from 'node:test'
import * as v from 'valibot'
import { publicAction } from '../../src/core/kernel/action.ts'
import type { ServedFile } from '../../src/core/kernel/answers.ts'
import { text } from '../../src/core/kernel/fields.ts'
import { emptyServer } from '../../src/testing/server.ts'
import { eventually } from '../eventually.ts'
import { echoing, onBothTargets } from './targets.ts'

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256))
/** Which ranges of the file were requested. */
const asked: [number, number][] = []
async function* inPieces(start: number, end: number) {
  for (let at = start; at < end; at += 300) yield bytes.subarray(at, Math.min(end, at + 300))
}
const fileAction = (about: Partial<ServedFile>) =>
  publicAction(
    {
      name: 'getAFile',
      summary: 'Get a file',
      result: v.any(),
      params: v.object({ name: v.optional(text) }),
      answers: 'bytes',
      limit: 'files',
    },
    async (_, { name }): Promise<ServedFile> => ({
      content_type: 'image/png',
      size: bytes.length,
      version: 'v1',
      cache: 'forever',
      ...(name !== undefined && { download_as: name }),
      ...about,
      read(start, end) {
        asked.push([start, end])
        return inPieces(start, end)
      },
    }),
  )
const redirect = publicAction(
  { name: 'goAway', summary: 'Go away', result: v.any(), params: v.object({ to: text }), answers: 'redirect' },
  async (_, { to }) => ({ location: to }),
)
const routes = {
  '/file': { GET: fileAction({}) },
  '/private': { GET: fileAction({ cache: 'private' }) },
  '/go': { GET: redirect, POST: redirect },
  '/own': { GET: fileAction({}), HEAD: echoing({}), OPTIONS: echoing({}) },
}

/** As `ask`, for answers that are not JSON. */
const raw =
  (target: { server: { url: string; fetch: typeof fetch } }, title: string) => (path: string, init?: RequestInit) =>
    title === 'socket'
      ? fetch(`${target.server.url}/api/v1${path}`, { redirect: 'manual', ...init })
      : target.server.fetch(`/api/v1${path}`, init)

for (const way of ['socket', 'in process']) {
  test(`sends a file in full, in ranges or not at all (${way})`, async () => {
    await using server = await emptyServer({ routes })
    const get = raw({ server: server as never }, way)
    const part = async (range: string, headers: Record<string, string> = {}) => {
      const answer = await get('/file', { headers: { range, ...headers } })
      return [answer.status, answer.headers.get('content-range'), Buffer.from(await answer.arrayBuffer())] as const
    }
    const whole = await get('/file')
    assert.deepEqual([whole.status, Buffer.from(await whole.arrayBuffer())], [200, bytes])
    const expected = {
      'content-type': 'image/png',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      etag: '"v1"',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(whole.headers.get(name), value)

    const parts: [range: string, start: number, end: number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=299-301', 299, 302],
      ['bytes=600-', 600, 1000],
      ['bytes=-10', 990, 1000],
      ['bytes=-5000', 0, 1000],
      ['bytes=900-99999', 900, 1000],
    ]
    for (const [range, start, end] of parts) {
      asked.length = 0
      const got = await part(range)
      assert.deepEqual(got, [206, `bytes ${start}-${end - 1}/1000`, bytes.subarray(start, end)])
      // Only that range is read.
      assert.deepEqual(asked, [[start, end]])
    }
    for (const range of ['bytes=5-2', 'bytes=0-1,5-6', 'bytes=', 'bytes=-', 'bytes=a-b', 'lines=0-1']) {
      assert.deepEqual([range, (await part(range))[0]], [range, 200])
    }
    assert.equal((await part('bytes=0-1', { 'if-range': '"v1"' }))[0], 206)
    assert.equal((await part('bytes=0-1', { 'if-range': '"v0"' }))[0], 200)
    for (const range of ['bytes=1000-', 'bytes=-0']) {
      const beyond = await get('/file', { headers: { range } })
      const { code, size } = (await beyond.json()) as { code: string; size: number }
      assert.deepEqual([range, beyond.status, code, size], [range, 416, 'RANGE_NOT_SATISFIABLE', 1000])
    }

    for (const known of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
      const again = await get('/file', { headers: { 'if-none-match': known } })
      assert.deepEqual([known, again.status, await again.text()], [known, 304, ''])
    }
    assert.equal((await get('/file', { headers: { 'if-none-match': '"v0"' } })).status, 200)

    asked.length = 0
    const head = await get('/file', { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '1000', ''])
    assert.deepEqual(asked, [])
    assert.equal((await get('/private')).headers.get('cache-control'), 'private, no-cache')
  })

  test(`escapes a download name in its header (${way})`, async () => {
    await using server = await emptyServer({ routes })
    const get = raw({ server: server as never }, way)
    const disposition = async (name: string) =>
      (await get(`/file?name=${encodeURIComponent(name)}`)).headers.get('content-disposition')
    assert.equal(await disposition('a b.png'), `attachment; filename="a b.png"; filename*=UTF-8''a%20b.png`)
    assert.equal(
      await disposition('"\r\nx: y\'(ü)*/..\\'),
      `attachment; filename="___x_ y______.._"; filename*=UTF-8''%22%0D%0Ax%3A%20y%27%28%C3%BC%29%2A%2F..%5C`,
    )
  })

  test(`redirects only to permitted places (${way})`, async () => {
    await using server = await emptyServer({ routes })
    const get = raw({ server: server as never }, way)
    const to = async (location: string, method = 'GET') => {
      const answer = await get(`/go?to=${encodeURIComponent(location)}`, { method, redirect: 'manual' })
      return [answer.status, answer.headers.get('location')]
    }
    assert.deepEqual(await to('/x?y=1#z'), [302, '/x?y=1#z'])
    assert.deepEqual(await to('/x', 'POST'), [303, '/x'])
    assert.deepEqual(await to('https://issuer.example/a?b=c'), [302, 'https://issuer.example/a?b=c'])
    for (const bad of ['//evil.example', '/\\evil.example', 'javascript:alert(1)', 'evil', '/\t/evil.example']) {
      assert.deepEqual([bad, ...(await to(bad))], [bad, 500, null])
    }
  })

  test(`a route can define its own HEAD and OPTIONS (${way})`, async () => {
    await using server = await emptyServer({ routes })
    const get = raw({ server: server as never }, way)
    const options = await get('/own', { method: 'OPTIONS' })
    assert.equal(((await options.json()) as { result: string }).result, 'success')
    assert.equal((await get('/own', { method: 'HEAD' })).headers.get('content-type'), 'application/json; charset=utf-8')
    const wrong = await get('/own', { method: 'POST' })
    assert.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS')
  })
}

test('reads a file no faster than its client and stops when the client disconnects', async () => {
  const PIECE = 1024 * 1024
  let read = 0
  let closed = false
  const large = publicAction(
    { name: 'large', summary: 'Large', result: v.any(), params: v.object({}), answers: 'bytes' },
    async () => ({
      content_type: 'image/png',
      size: 500 * PIECE,
      version: 'x',
      cache: 'day',
      async *read() {
        try {
          for (; read < 500; read++) yield Buffer.alloc(PIECE)
        } finally {
          closed = true
        }
      },
    }),
  )
  await using server = await emptyServer({ routes: { '/large': { GET: large } } })
  const req = request({ port: server.port, path: '/api/v1/large' })
  await new Promise<void>((resolve) => {
    req.on('response', (res) => res.once('readable', resolve)).end()
  })
  let before = -1
  while (read !== before) {
    before = read
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.ok(read < 50, `${read} MiB were read for a client that takes none`)
  req.on('error', () => {}).destroy()
  await eventually('the file is closed', () => closed)
  assert.deepEqual(server.log, [])
})

test("breaks off a file that can't be read to the end, and logs it", async () => {
  const broken = publicAction(
    { name: 'broken', summary: 'Broken', result: v.any(), params: v.object({}), answers: 'bytes' },
    async () => ({
      content_type: 'image/png',
      size: 10,
      version: 'x',
      cache: 'day',
      // biome-ignore lint/correctness/useYield: it fails before yielding.
      async *read() {
        throw new Error('the disk')
      },
    }),
  )
  await using server = await emptyServer({ routes: { '/broken': { GET: broken } } })
  await assert.rejects(async () => (await fetch(`${server.url}/api/v1/broken`)).arrayBuffer())
  assert.deepEqual(server.log, [
    {
      level: 'error',
      message: 'a response was interrupted',
      details: { path: '/api/v1/broken', err: new Error('the disk') },
    },
  ])
})

onBothTargets('the description of the API is a file like others', {}, async ({ server }) => {
  const first = await server.fetch('/api/v1/openapi.json')
  const body = await first.text()
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 16)
  assert.equal(first.headers.get('etag'), `"${version}"`)
  const again = await server.fetch('/api/v1/openapi.json', { headers: { 'if-none-match': `"${version}"` } })
  assert.equal(again.status, 304)
})
