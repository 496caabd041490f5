import assert from 'node:assert/strict'
import test from 'node:test'
import { matchesAny } from '../../../src/core/bots/incoming/format/event.ts'
import { code, fitted, link } from '../../../src/core/bots/incoming/format/text.ts'
import { filled } from '../../../src/core/bots/incoming/services/json.ts'
import { createApp } from '../../../src/http/index.ts'
import { processorTime } from '../../processor-time.ts'
import { newest, post, withWebhook } from './receive.ts'

const richText = (...elements: object[]) => ({
  blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
})

test('text of other services mentions nobody, however it is put together', async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  await w.people.hamlet.api.patch(`/bots/${bot_id}`, { config_data: { template: 'by @{user} {a}{b}' } })
  const slack = `slack_incoming?api_key=${key}&stream=general&topic=t`
  const cases: readonly (readonly [path: string, json: object])[] = [
    [slack, richText({ type: 'user', user_id: '**all**' })],
    [slack, richText({ type: 'broadcast', range: '**all**' })],
    [slack, richText({ type: 'emoji', name: 'x: @**all** :y' })],
    [slack, richText({ type: 'text', text: '@' }, { type: 'text', text: 'all', style: { bold: true } })],
    [`json?api_key=${key}&stream=general`, { user: '**all**', a: '@', b: '**all**' }],
    [`sentry?api_key=${key}&stream=general`, { project_name: 'p', message: 'm', culprit: '@`**all**`' }],
    [`sentry?api_key=${key}`, { project_name: 'p', message: '** @**hamlet** **', url: 'https://example.com' }],
  ]
  for (const [path, json] of cases) {
    const { status, text } = await post(w, path, { json })
    assert.equal(status, 200, text)
    const { messages } = await w.people.hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    assert.equal(messages[0].sender_full_name, 'Grave')
    assert.doesNotMatch(messages[0].content, /user-mention/, JSON.stringify(json))
    assert.ok(!messages[0].flags.some((flag: string) => flag.includes('mention')), JSON.stringify(json))
  }
})

test('text of other services makes no headings, and no links that hide their address', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const words = '# Loud [bank.example](https://evil.example)'
  const alerts = [{ status: 'firing', labels: { alertname: words }, annotations: { summary: words } }]
  const cases: readonly (readonly [path: string, json: object])[] = [
    [
      'slack_incoming',
      { text: `${words}\n${words}`, attachments: [{ text: words, fields: [{ title: words, value: words }] }] },
    ],
    ['alertmanager', { status: 'firing', alerts }],
    ['sentry', { project_name: 'p', message: words }],
    ['azuredevops', { eventType: 'git.push', message: { text: words } }],
    ['uptime_kuma', { monitor: { name: words }, heartbeat: { status: 0, msg: words } }],
  ]
  for (const [service, json] of cases) {
    const { status, text } = await post(w, `${service}?api_key=${key}&stream=general&topic=t`, { json })
    assert.equal(status, 200, text)
    const { messages } = await w.people.hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    assert.match(messages[0].content, /Loud/, service)
    assert.doesNotMatch(messages[0].content, /<h\d|>bank\.example<\/a>/, service)
  }
})

test('lists requests that were rejected before they were read among the deliveries', async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const app = createApp({ chat: w.chat, rateLimit: false })
  const send = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
    return (await app.fetch(new Request(`http://localhost${path}`, init))).status
  }
  const external = `/api/v1/external/json?api_key=${key}&stream=general`
  const deep = '['.repeat(100) + ']'.repeat(100)
  const discord = `/api/webhooks/${bot_id}/${key}?stream=general`
  const authorization = `Bearer ${key}`
  assert.deepEqual(
    [
      await send(external, JSON.stringify('x'.repeat(2_000_000))),
      await send(external, '{nope'),
      await send(external, deep),
      await send(external.replace('json', 'slack_incoming'), '{nope'),
      await send(discord, '{"content": 5}'),
      await send(`${discord.replace('?', '/github?')}`, '{}', { 'x-github-event': '' }),
      await send('/api/chat.postMessage', '{nope', { authorization }),
      // Without its key, a request belongs to no bot.
      await send(external.replace(key, 'wrong'), '{nope'),
    ],
    [413, 400, 400, 400, 400, 400, 400, 401],
  )
  const { deliveries } = await w.people.hamlet.api.get(`/bots/${bot_id}/deliveries`)
  assert.deepEqual(
    deliveries.map(({ integration, outcome }: Record<string, string>) => `${integration} ${outcome}`),
    [
      'slack_api failed',
      'github failed',
      'discord failed',
      'slack_incoming failed',
      'json failed',
      'json failed',
      'json failed',
    ],
  )
  assert.match(deliveries.at(-1).detail, /too large/)
  assert.ok(deliveries.every(({ detail }: { detail: string }) => detail !== ''))
})

test('lists no requests of people, and none above the rate limit', async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const { id, key: own } = w.people.hamlet
  const rate = { requests: 2, seconds: 60 }
  const app = createApp({ chat: w.chat, rateLimits: { user: rate, bot: rate } })
  const send = async (path: string) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{nope' }
    return (await app.fetch(new Request(`http://localhost${path}`, init))).status
  }
  assert.equal(await send(`/api/webhooks/${id}/${own}`), 400)
  const external = `/api/v1/external/slack_incoming?api_key=${key}`
  // A limit that was hit is not recorded.
  assert.deepEqual([await send(external), await send(external), await send(external)], [400, 400, 429])
  const { deliveries } = await w.people.hamlet.api.get(`/bots/${bot_id}/deliveries`)
  assert.equal(deliveries.length, 2)
})

test('labels of links neither end early nor change the address', () => {
  assert.equal(
    link('Login ](https://evil.example/) [', 'https://good.example/5'),
    '[Login ］(https://evil.example/) ［](https://good.example/5)',
  )
  assert.equal(link('a`b', 'https://e.com/x`(y)'), "[a'b](https://e.com/x%60%28y%29)")
  assert.equal(link('a', 'javascript:alert(1)'), 'a')
  assert.equal(code('@`**x**`'), '`@\u200b**x**`')
})

test('cuts messages that are too long instead of losing them', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const long = '漢'.repeat(3500)
  assert.equal((await post(w, `json?api_key=${key}&stream=general`, { json: { long } })).status, 200)
  const { content } = await newest(w)
  assert.ok(Buffer.byteLength(content) <= 10_000)
  assert.match(content, /…\n```$/)
  assert.equal(fitted('short', 10_000), 'short')
  const push = { ref: 'refs/heads/main', repository: { name: 'r' }, sender: { login: 'a' } }
  const commits = Array(20).fill({ id: 'c'.repeat(40), message: long, url: 'https://example.com/c' })
  const headers = { 'x-github-event': 'push' }
  assert.equal(
    (await post(w, `github?api_key=${key}&stream=general`, { json: { ...push, commits }, headers })).status,
    200,
  )
})

test('names that every object has stand for nothing', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const headers = { 'x-gitlab-event': 'Wiki Page Hook' }
  const object_attributes = { title: 'T', action: 'constructor' }
  const json = { project: { name: 'p' }, user: { name: 'u' }, object_attributes }
  await post(w, `gitlab?api_key=${key}&stream=general`, { json, headers })
  assert.equal((await newest(w)).content, 'u constructor the wiki page T.')
})

test('answers null characters and enormous ids without an internal error', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const cases: readonly (readonly [path: string, json: object])[] = [
    ['circleci', { type: 'a\0b' }],
    ['zendesk', { ticket_id: 5, ticket_url: 'https://good.example/\0x' }],
    ['slack_incoming', { channel: 'x\0y', text: 'hi' }],
    ['slack_incoming', { channel: '99999999999999999999', text: 'hi' }],
    [
      'slack_incoming',
      {
        blocks: [
          {
            type: 'rich_text',
            elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'a\0' }] }],
          },
        ],
      },
    ],
  ]
  for (const [service, json] of cases) {
    const { status, text } = await post(w, `${service}?api_key=${key}&stream=general`, { json })
    assert.ok(status === 200 || status === 400, `${JSON.stringify(json)}: ${text}`)
    const elsewhere = await post(w, `${service}?api_key=${key}`, { json })
    assert.ok(elsewhere.status === 200 || elsewhere.status === 400, `${JSON.stringify(json)}: ${elsewhere.text}`)
  }
})

test('concurrent requests with one Idempotency-Key send one message', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const send = () =>
    post(w, `json?api_key=${key}&stream=general`, { json: { a: 1 }, headers: { 'idempotency-key': 'once' } })
  const answers = await Promise.all([send(), send(), send()])
  assert.equal(new Set(answers.map(({ id }) => id)).size, 1)
  const { id } = await w.people.hamlet.api.post('/messages', {
    type: 'stream',
    to: 'general',
    topic: 't',
    content: 'x',
  })
  assert.equal(id, answers[0]!.id + 1)
})

test("people's own keys can't use the addresses of webhooks", async () => {
  const { w } = await withWebhook()
  await using _ = w
  const { id, key } = w.people.hamlet
  const response = await createApp({ chat: w.chat }).fetch(
    new Request(`http://localhost/api/webhooks/${id}/${key}?stream=general`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"content":"x"}',
    }),
  )
  assert.equal(response.status, 401)
})

test("the host's user and other sites can't use a webhook's address for themselves", async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const { id } = w.people.iago
  const app = createApp({ chat: w.chat, authenticate: () => ({ user_id: id }) })
  const headers = { 'content-type': 'application/json', origin: 'https://evil.example' }
  await app.fetch(
    new Request(`http://localhost/api/v1/external/json?api_key=${key}&stream=general`, {
      method: 'POST',
      headers,
      body: '{"a":1}',
    }),
  )
  assert.equal((await newest(w)).sender_full_name, 'Grave')
  const forged = new Request(`http://localhost/api/webhooks/${id}/anything?stream=general`, {
    method: 'POST',
    headers,
    body: '{"content":"x"}',
  })
  assert.equal((await app.fetch(forged)).status, 401)
  const read = await app.fetch(new Request('http://localhost/api/v1/users/me', { headers }))
  assert.equal(read.headers.get('access-control-allow-origin'), null)
})

test('large templates and patterns cost little', () => {
  const used = processorTime(() => {
    filled('{a}'.repeat(3000), { a: 'x'.repeat(1_000_000) })
    matchesAny([`*${'a'.repeat(15_000)}b*`], 'a'.repeat(500_000))
  })
  assert.ok(used < 1000, `${used} ms`)
})
