import assert from 'node:assert/strict'
import test from 'node:test'
import { emptyServer, testServer } from '../../src/testing/index.ts'

const said = (content: string) => new URLSearchParams({ type: 'stream', to: 'general', topic: 'x', content })

/** Sends as somebody, over the socket or in process. */
const sender =
  (server: { url: string; fetch: typeof fetch }, authorization: string, way: string) =>
  (content: string, init: RequestInit = {}) => {
    const request = { method: 'POST', headers: { authorization }, body: said(content), ...init }
    return way === 'socket'
      ? fetch(`${server.url}/api/v1/messages`, request)
      : server.fetch('/api/v1/messages', request)
  }

test("a test server serves a world's people over a socket with their keys", async () => {
  await using server = await testServer({ people: ['ann'], streams: { verona: { members: ['ann'] } } })
  const { authorization } = server.ann
  const answer = await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization } })
  assert.equal(((await answer.json()) as { email: string }).email, 'ann@example.com')
  assert.ok((await server.ann.says('hello', { stream: 'verona' })).id)
  assert.ok(server.zuliprc('ann').endsWith(`key=${server.ann.key}\nsite=${server.url}\n`))
  assert.equal(server.zuliprc(server.ann), server.zuliprc('ann'))
})

test('people of a server below a base path call the API without a socket', async () => {
  await using server = await testServer({ basePath: '/chat' })
  const { email } = await server.hamlet.api.get('/users/me')
  assert.equal(email, server.hamlet.email)
})

test('an empty server has no organization', async () => {
  await using server = await emptyServer()
  assert.equal((await server.fetch('/api/v1/users/me')).status, 401)
})

for (const way of ['socket', 'in process']) {
  test(`fails and delays requests as a test asks (${way})`, async () => {
    await using server = await testServer()
    const send = sender(server as never, server.hamlet.authorization, way)
    const contents = async () => {
      const { messages } = await server.hamlet.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 })
      return messages
        .filter((one: { sender_id: number }) => one.sender_id === server.hamlet.id)
        .map((one: { content: string }) => one.content.replace(/<\/?p>/g, ''))
    }

    server.fail('POST /messages', { status: 503, times: 2 })
    const unavailable = await send('never')
    assert.deepEqual([unavailable.status, unavailable.headers.get('retry-after')], [503, '1'])
    assert.equal(((await unavailable.json()) as { result: string }).result, 'error')
    assert.equal((await send('never')).status, 503)
    assert.equal((await send('first')).status, 200)

    server.fail('/messages', { status: 502, after: 'commit' })
    assert.equal((await send('second')).status, 502)

    server.fail('/mess*', { drop: true })
    await assert.rejects(send('never'), TypeError)
    server.fail('/messages', { drop: true, after: 'commit' })
    await assert.rejects(send('third'), TypeError)

    server.fail('GET /messages', {})
    const began = performance.now()
    server.fail('/messages', { delay: 60 })
    assert.equal((await send('fourth')).status, 200)
    assert.ok(performance.now() - began >= 55)

    await server.idle()
    assert.deepEqual(await contents(), ['first', 'second', 'third', 'fourth'])
    assert.deepEqual(
      server.requests.map(({ status }) => status),
      [503, 503, 200, 502, undefined, undefined, 200],
    )
  })

  test(`records requests with their contents (${way})`, async () => {
    await using server = await testServer()
    const { authorization } = server.hamlet
    const send = sender(server as never, authorization, way)
    await send('a form')
    const body = JSON.stringify({ type: 'stream', to: ['general'], topic: 'x', content: 'an object' })
    await send('', { body, headers: { authorization, 'content-type': 'application/json' } })
    const query = '/api/v1/users/me/subscriptions?include_subscribers=true'
    await (way === 'socket' ? fetch(server.url + query) : server.fetch(query))
    assert.deepEqual(
      server.requests.map((one) => [one.method, one.path, one.email, one.status]),
      [
        ['POST', '/messages', 'hamlet@example.com', 200],
        ['POST', '/messages', 'hamlet@example.com', 200],
        ['GET', '/users/me/subscriptions', undefined, 401],
      ],
    )
    assert.deepEqual(
      server.requests.map(({ params }) => params),
      [
        { type: 'stream', to: 'general', topic: 'x', content: 'a form' },
        { type: 'stream', to: ['general'], topic: 'x', content: 'an object' },
        { include_subscribers: 'true' },
      ],
    )
  })
}

test('a server is idle once only waiting polls are unanswered', async () => {
  await using server = await testServer()
  const { authorization } = server.hamlet
  const headers = { authorization }
  const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers })
  const { queue_id, last_event_id } = (await registered.json()) as { queue_id: string; last_event_id: number }
  const poll = fetch(`${server.url}/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`, { headers })
  while (server.requests.length < 2) await new Promise(setImmediate)
  await server.idle()

  let answered = false
  server.fail('/messages', { delay: 50 })
  const sent = sender(
    server as never,
    authorization,
    'in process',
  )('slow').then((answer) => {
    answered = true
    return answer.status
  })
  await server.idle()
  assert.equal(answered, true)
  assert.equal(await sent, 200)
  assert.equal((await poll).status, 200)
})

test('a server can report another feature level and limit requests', async () => {
  await using server = await testServer({ featureLevel: 180, rateLimit: 3 })
  const { zulip_feature_level } = await server.hamlet.api.post('/register', {})
  assert.equal(zulip_feature_level, 180)
  const settings = await server.fetch('/api/v1/server_settings')
  assert.equal(((await settings.json()) as { zulip_feature_level: number }).zulip_feature_level, 180)
  const headers = { authorization: server.hamlet.authorization }
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await server.fetch('/api/v1/users/me', { headers })).status)
  assert.deepEqual(statuses, [200, 200, 200, 429])
})
