import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../../src/http/index.ts'
import { docsFiles, docsSection } from '../../../src/http/web/docs-routes.ts'
import { world } from '../../../src/testing/index.ts'

const stored: Readonly<Record<string, string>> = {
  'index.html': '<link href="/docs/assets/style.abcdefgh.css">',
  'guide/run.html': '<h1>Run</h1>',
  'api/index.html': '<h1>API</h1>',
  'assets/style.abcdefgh.css': 'a{}',
  'assets/style.abcdefgh.css.br': 'packed',
}
const files = () => docsFiles({ names: Object.keys(stored), read: (name) => new TextEncoder().encode(stored[name]!) })

/** Returns a function that requests a path from a server with this documentation. */
async function served(base: string) {
  const w = await world()
  const { routes } = docsSection(files(), base)
  const app = createApp({ chat: w.chat, rateLimit: false, ...(base !== '' && { basePath: base }), routes })
  const get = (path: string, headers: HeadersInit = {}) =>
    app.fetch(new Request(`http://localhost${base}/api/v1${path}`, { headers }))
  return { get, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() }
}

test('serves the documentation below /docs with a policy against inline scripts', async () => {
  await using s = await served('')
  for (const [path, body] of [
    ['/docs', stored['index.html']],
    ['/docs/', stored['index.html']],
    ['/docs/guide/run.html', stored['guide/run.html']],
    ['/docs/api/', stored['api/index.html']],
    ['/docs/assets/style.abcdefgh.css', 'a{}'],
  ]) {
    const answer = await s.get(path!)
    assert.deepEqual([path, answer.status, await answer.text()], [path, 200, body])
    const policy = answer.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'/)
  }
  const packed = await s.get('/docs/assets/style.abcdefgh.css', { 'accept-encoding': 'br' })
  assert.equal(packed.headers.get('content-encoding'), 'br')
  assert.match(packed.headers.get('cache-control')!, /immutable/)
  for (const path of [
    '/docs/missing',
    `/docs/${encodeURIComponent('../run.html')}`,
    '/docs/assets/style.abcdefgh.css.br',
    '/docs/guide',
  ]) {
    assert.equal((await s.get(path)).status, 404, path)
  }
})

test("prefixes the documentation's addresses with the base path", async () => {
  await using s = await served('/chat')
  assert.equal(await (await s.get('/docs')).text(), '<link href="/chat/docs/assets/style.abcdefgh.css">')
})

test('serves no documentation by default, and requires its files when enabled', async () => {
  await using w = await world()
  const answer = await createApp({ chat: w.chat }).fetch(new Request('http://localhost/docs'))
  assert.equal(answer.status, 404)
  assert.throws(() => docsFiles({ names: [], read: () => new Uint8Array() }), /npm run docs/)
})
