// cspell:ignoreRegExp /%[0-9a-f]{2}[a-z]+/g
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { createApp } from '../../../src/http/index.ts'
import { world } from '../../../src/testing/index.ts'
import { TemporaryFolder } from '../../temporary-folder.ts'

const PAGE = '<!doctype html><title>Chat</title><script type="module" src="/web/main-abc123.js"></script>'
const SCRIPT = `console.log('${'hello '.repeat(50)}')`

/** An app that serves a built client of two files, one with its compressed forms. */
async function served(t: TestContext) {
  const around = new TemporaryFolder()
  t.after(() => around[Symbol.dispose]())
  const folder = join(around.path, 'dist')
  mkdirSync(join(folder, 'web'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const script = join(folder, 'web/main-abc123.js')
  writeFileSync(script, SCRIPT)
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT))
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT))
  writeFileSync(join(folder, '..', 'outside.js'), 'secret')
  const w = await world()
  t.after(() => w.chat.close())
  const app = createApp({ chat: w.chat, web: { folder } })
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.fetch(new Request(`http://localhost${path}`, { method, headers }))
  return { get, w }
}

test('the page is served at /, asked for again each time, and not sent again while it is the same', async (t) => {
  const { get } = await served(t)
  const first = await get('/')
  assert.equal(first.status, 200)
  assert.equal(await first.text(), PAGE)
  assert.equal(first.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(first.headers.get('cache-control'), 'no-cache')
  const etag = first.headers.get('etag')!
  const again = await get('/', { 'if-none-match': etag })
  assert.deepEqual([again.status, await again.text()], [304, ''])
  assert.equal((await get('/', { 'if-none-match': '"another"' })).status, 200)
})

test('what has a hash in its name is kept for ever', async (t) => {
  const { get } = await served(t)
  const { headers } = await get('/web/main-abc123.js')
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal((await get('/favicon.svg')).headers.get('cache-control'), 'no-cache')
})

test('each client gets the smallest form that it accepts', async (t) => {
  const { get } = await served(t)
  const unpack = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    identity: (bytes: Buffer) => bytes,
  }
  const cases: [accepted: string, sent: keyof typeof unpack][] = [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0, identity', 'identity'],
    ['deflate', 'identity'],
    ['', 'identity'],
  ]
  const etags = new Map<string, string | null>()
  for (const [accepted, sent] of cases) {
    const { headers, ...response } = await get('/web/main-abc123.js', { 'accept-encoding': accepted }).then(
      async (answer) => ({ headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }),
    )
    assert.equal(headers.get('content-encoding') ?? 'identity', sent, accepted)
    assert.equal(unpack[sent](response.bytes).toString(), SCRIPT, accepted)
    assert.equal(headers.get('content-length'), String(response.bytes.length), accepted)
    assert.equal(headers.get('vary'), 'accept-encoding')
    etags.set(sent, headers.get('etag'))
  }
  assert.equal(new Set(etags.values()).size, 3, 'each form has its own ETag')
})

test('HEAD answers with the headers alone, and other methods are refused', async (t) => {
  const { get } = await served(t)
  const head = await get('/web/main-abc123.js', {}, 'HEAD')
  assert.deepEqual([head.status, await head.text()], [200, ''])
  assert.equal(head.headers.get('content-length'), String(SCRIPT.length))
  assert.equal((await get('/', {}, 'POST')).status, 405)
})

test('nothing outside of the folder is served, however it is asked for', async (t) => {
  const { get } = await served(t)
  const paths = [
    '/web/missing.js',
    '/web/..%2findex.html',
    '/web/..%2f..%2foutside.js',
    '/web/%2e%2e%2f%2e%2e%2foutside.js',
    '/web/..%5c..%5coutside.js',
    '/..%2foutside.js',
    '/web/main-abc123.js.br',
    '/web/main-abc123.js%00',
    '/web/',
    '/web',
    '/index.html',
    '/web/constructor',
  ]
  for (const path of paths) {
    const response = await get(path)
    const text = await response.text()
    assert.ok([400, 404].includes(response.status), `${path}: ${response.status} ${text}`)
    assert.match(response.headers.get('content-type')!, /^application\/json/)
  }
})

test('the page runs nothing inline, loads nothing from other servers, and nobody may frame it', async (t) => {
  const { get } = await served(t)
  for (const path of ['/', '/web/main-abc123.js', '/favicon.svg']) {
    const { headers } = await get(path)
    const policy = headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
  const { headers } = await get('/')
  assert.equal(headers.get('x-frame-options'), 'DENY')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
})

test('without being asked for, and without a built client, there is the plain page', async (t) => {
  const { w } = await served(t)
  const options = [{}, { web: false }, { web: { folder: '/nowhere' } }]
  for (const option of options) {
    const app = createApp({ chat: w.chat, ...option })
    const page = await app.fetch(new Request('http://localhost/'))
    assert.match(await page.text(), /There is no web client on this server/)
  }
})

test('a browser that is not signed in is not asked for a password by the browser itself', async (t) => {
  const { get } = await served(t)
  const refused = await get('/json/users/me')
  assert.equal(refused.status, 401)
  assert.equal(refused.headers.get('www-authenticate'), 'Session realm="zulip"')
  assert.equal((await get('/api/v1/users/me')).headers.get('www-authenticate'), 'Basic realm="zulip"')
})
