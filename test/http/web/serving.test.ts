// cspell:ignoreRegExp /%[0-9a-f]{2}[a-z]+/g
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
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
async function served(t: TestContext, page = PAGE) {
  const around = new TemporaryFolder()
  t.after(() => around[Symbol.dispose]())
  const folder = join(around.path, 'dist')
  mkdirSync(join(folder, 'web'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const script = join(folder, 'web/main-abc123.js')
  writeFileSync(script, SCRIPT)
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT))
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT))
  writeFileSync(join(folder, '..', 'outside.js'), 'secret')
  const w = await world()
  t.after(() => w.chat.close())
  const app = createApp({ chat: w.chat, web: true, webFiles: folder })
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.fetch(new Request(`http://localhost${path}`, { method, headers }))
  return { get, w }
}

test('serves the page at / with no-cache and answers 304 while it is unchanged', async (t) => {
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

test('caches files with a hash in their name forever', async (t) => {
  const { get } = await served(t)
  const { headers } = await get('/web/main-abc123.js')
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal((await get('/favicon.svg')).headers.get('cache-control'), 'no-cache')
})

test('sends each client the smallest encoding it accepts', async (t) => {
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

test('answers HEAD with headers only and rejects other methods', async (t) => {
  const { get } = await served(t)
  const head = await get('/web/main-abc123.js', {}, 'HEAD')
  assert.deepEqual([head.status, await head.text()], [200, ''])
  assert.equal(head.headers.get('content-length'), String(SCRIPT.length))
  assert.equal((await get('/', {}, 'POST')).status, 405)
})

test('serves nothing outside the folder', async (t) => {
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

test("the page runs nothing inline, loads nothing external and can't be framed", async (t) => {
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

test('the page runs the scripts within it, and no others, in each language', async (t) => {
  const within = '\n  first()\n'
  const { get, w } = await served(t, `<!doctype html><html lang="en"><script>${within}</script>${PAGE}`)
  const hash = createHash('sha256').update(within).digest('base64')
  for (const default_language of ['en', 'de']) {
    await w.people.iago.api.patch('/realm', { default_language })
    const answer = await get('/')
    assert.ok((await answer.text()).includes(`lang="${default_language}"`))
    const policy = answer.headers.get('content-security-policy')!
    assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy)
  }
  const { headers } = await get('/web/main-abc123.js')
  assert.match(headers.get('content-security-policy')!, /script-src 'self';/)
})

test('serves the plain page without the option web', async (t) => {
  const { w } = await served(t)
  for (const option of [{}, { web: false }]) {
    const app = createApp({ chat: w.chat, ...option })
    const page = await app.fetch(new Request('http://localhost/'))
    assert.match(await page.text(), /The web client is turned off on this server/)
  }
})

test('names the folder and the option when the files of the web client are missing', async (t) => {
  const { w } = await served(t)
  const missing = /The web client's files are missing: the folder \/nowhere has no index\.html\..*webFiles/
  for (const webFiles of ['/nowhere', 'file:///nowhere', new URL('file:///nowhere')]) {
    assert.throws(() => createApp({ chat: w.chat, web: true, webFiles }), missing)
  }
  const nothing = { names: ['web/main-abc123.js'], read: () => new Uint8Array() }
  assert.throws(() => createApp({ chat: w.chat, web: true, webFiles: nothing }), /webFiles has no index\.html/)
})

test('reads the files of the web client from memory', async (t) => {
  const { w } = await served(t)
  const files = new Map([
    ['index.html', Buffer.from(PAGE)],
    ['web/main-abc123.js', Buffer.from(SCRIPT)],
    ['web/main-abc123.js.gz', gzipSync(SCRIPT)],
  ])
  const webFiles = { names: files.keys(), read: (name: string) => files.get(name)! }
  const app = createApp({ chat: w.chat, web: true, webFiles })
  const get = (path: string) =>
    app.fetch(new Request(`http://localhost${path}`, { headers: { 'accept-encoding': 'gzip' } }))
  assert.equal(await (await get('/')).text(), PAGE)
  const script = await get('/web/main-abc123.js')
  assert.equal(script.headers.get('content-encoding'), 'gzip')
  assert.equal(gunzipSync(Buffer.from(await script.arrayBuffer())).toString(), SCRIPT)
  assert.equal((await get('/web/other.js')).status, 404)
})

test('lets only the origins in frameAncestors embed the web client', async (t) => {
  const { w } = await served(t)
  const files = new Map([['index.html', Buffer.from(PAGE)]])
  const webFiles = { names: files.keys(), read: (name: string) => files.get(name)! }
  const frameAncestors = ['https://intranet.example', 'http://localhost:8080']
  const app = createApp({ chat: w.chat, web: { frameAncestors }, webFiles })
  const { headers } = await app.fetch(new Request('http://localhost/'))
  assert.match(
    headers.get('content-security-policy')!,
    /; frame-ancestors https:\/\/intranet\.example http:\/\/localhost:8080$/,
  )
  assert.equal(headers.get('x-frame-options'), null)
  // The forms behind links in emails are never embedded.
  const join = await app.fetch(new Request('http://localhost/join?token=x'))
  assert.match(join.headers.get('content-security-policy')!, /frame-ancestors 'none'/)
  assert.equal(join.headers.get('x-frame-options'), 'DENY')
})

test('frameAncestors accepts origins only', async (t) => {
  const { w } = await served(t)
  for (const origin of [
    'intranet.example',
    'https://intranet.example/',
    'https://*',
    'https://*.example',
    'https://a;b',
    "'self'",
    'https://a.example; script-src *',
    'data:x',
    '',
  ]) {
    assert.throws(
      () => createApp({ chat: w.chat, web: { frameAncestors: [origin] } }),
      /is not an origin that can embed the page/,
      origin,
    )
  }
})

test("doesn't trigger the browser's own password prompt", async (t) => {
  const { get } = await served(t)
  const refused = await get('/json/users/me')
  assert.equal(refused.status, 401)
  assert.equal(refused.headers.get('www-authenticate'), 'Session realm="zulip"')
  assert.equal((await get('/api/v1/users/me')).headers.get('www-authenticate'), 'Basic realm="zulip"')
})
