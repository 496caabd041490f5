import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Parser } from 'htmlparser2'
import { createApp } from '../../src/http/index.ts'
import { openChat } from '../../src/index.ts'
import { world } from '../../src/testing/world.ts'
import { onBothTargets } from './targets.ts'

/** Elements, attributes and the text of a page, as a browser would read it. */
function read(html: string) {
  const elements: string[] = []
  const attributes: string[] = []
  let text = ''
  const parser = new Parser({
    onopentag(name, given) {
      elements.push(name)
      attributes.push(...Object.entries(given).map(([attribute, value]) => `${attribute}=${value}`))
    },
    ontext: (part) => {
      text += part
    },
  })
  parser.end(html)
  return { elements, attributes, text }
}

onBothTargets(
  'the first page says whose chat it is, its version, and how each client connects',
  {},
  async ({ server }) => {
    const response = await fetch(`${server.url}/`)
    assert.equal(response.status, 200)
    const { text } = read(await response.text())
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    for (const said of [
      `chat-server ${version}`,
      'feature level 489',
      server.url,
      `site=${server.url}`,
      'chat-server user add',
    ])
      assert.ok(text.includes(said), said)
    for (const client of ['Phone', 'Terminal', 'Bots', 'Browser', 'curl']) assert.ok(text.includes(client), client)
    assert.equal((await fetch(`${server.url}/`, { method: 'POST' })).status, 405)
    const head = await fetch(`${server.url}/`, { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [200, ''])
  },
)

test('the front page runs and loads nothing, and its policy enforces that', async () => {
  await using w = await world()
  const response = await createApp({ chat: w.chat }).fetch(new Request('http://localhost/'))
  const html = await response.text()
  const { elements, attributes } = read(html)
  assert.deepEqual(
    elements.filter((name) => /^(script|img|link|iframe|form|object|embed)$/.test(name)),
    [],
  )
  const outward = attributes.filter((attribute) => /^(on|style|src|srcset|action)/.test(attribute))
  assert.deepEqual(outward, [])
  assert.ok(attributes.includes('name=viewport') && html.startsWith('<!doctype html>'))
  const style = /<style>([^<]*)<\/style>/.exec(html)![1]!
  assert.match(style, /color-scheme: light dark/)
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  assert.equal(response.headers.get('content-security-policy'), policy)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
})

test("shows an owner's text as plain text on the front page", async () => {
  await using w = await world()
  const { iago } = w.people
  const name = `<script>alert(1)</script>"'&`
  const description = '</p><img src=x onerror=alert(1)>'
  await iago.api.patch('/realm', { name, description })
  const html = await (await createApp({ chat: w.chat }).fetch(new Request('http://localhost/'))).text()
  const { elements, text } = read(html)
  assert.ok(!elements.includes('script') && !elements.includes('img'))
  assert.ok(text.includes(name) && text.includes(description))
})

test('without an organization, serves a page at the root and JSON 404s elsewhere', async () => {
  await using chat = await openChat()
  const app = createApp({ chat })
  assert.equal((await app.fetch(new Request('http://localhost/'))).status, 200)
  for (const path of ['/index.html', '/login', '/favicon.ico', '//', '/%2f', '/accounts/login/']) {
    const response = await app.fetch(new Request(`http://localhost${path}`))
    assert.deepEqual(
      [path, response.status, ((await response.json()) as { code: string }).code],
      [path, 404, 'NOT_FOUND'],
    )
  }
})
