import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import test from 'node:test'
import { issueToken } from '../../src/core/accounts/issue-token.ts'
import type { AppOptions } from '../../src/http/app.ts'
import { createApp, nodeListener } from '../../src/http/index.ts'
import { getMessages } from '../../src/index.ts'
import { world } from '../../src/testing/world.ts'

/** A server that notes which sends it answered directly, and one that leaves all to the shell. */
async function servers(options: AppOptions = {}) {
  const w = await world()
  const app = createApp({ chat: w.chat, ...options })
  const { answerSend, ...withoutSends } = app
  const taken: boolean[] = []
  const noting = async (request: IncomingMessage, response: ServerResponse) => {
    const answered = answerSend ? await answerSend(request, response) : false
    taken.push(answered)
    return answered
  }
  const listen = async (listener: ReturnType<typeof nodeListener>) => {
    const server = createServer(listener)
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return { server, port, url: `http://127.0.0.1:${port}/api/v1/messages` }
  }
  const direct = await listen(nodeListener({ ...withoutSends, answerSend: noting }))
  const shell = await listen(nodeListener(withoutSends))
  const { hamlet } = w.people
  const authorization = `Basic ${Buffer.from(`${hamlet.email}:${hamlet.key}`).toString('base64')}`
  const sendTo =
    (url: string) =>
    (body: RequestInit['body'], headers: Record<string, string> = {}) =>
      fetch(url, { method: 'POST', body: body ?? null, headers: { authorization, ...headers } })
  return {
    w,
    app,
    taken,
    hamlet,
    port: direct.port,
    authorization,
    ask: sendTo(direct.url),
    askShell: sendTo(shell.url),
    async [Symbol.asyncDispose]() {
      app.release()
      for (const { server } of [direct, shell]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
      await w[Symbol.asyncDispose]()
    },
  }
}

const form = (more: Record<string, string> = {}) =>
  new URLSearchParams({ type: 'stream', to: 'general', topic: 'plans', content: 'Shall we *meet*?', ...more })

/** The answer without what differs from send to send. */
async function read(response: Response) {
  const { date: _, 'keep-alive': __, 'content-length': ___, ...headers } = Object.fromEntries(response.headers)
  const { id, ...body } = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers, isSent: typeof id === 'number', body }
}

test('answers a plain send directly, exactly as the shell does', async () => {
  await using s = await servers({ rateLimit: false })
  const headers = { 'user-agent': 'ZulipPython/1.0' }
  for (const body of [form(), form({ unknown: '1', client: 'probe' }), form({ type: 'direct', to: '[10]' })]) {
    const answer = await read(await s.ask(body, headers))
    assert.deepEqual(answer, await read(await s.askShell(body, headers)))
  }
  assert.deepEqual(s.taken, [true, true, true])
  const { messages } = await getMessages(s.hamlet, { anchor: 'newest', num_before: 6, num_after: 0 })
  const sent = messages.filter(({ content }) => content.includes('<em>meet</em>'))
  assert.deepEqual([...new Set(sent.map(({ client }) => client))].sort(), ['ZulipPython', 'probe'])
})

test('answers errors of a plain send as the shell does, and keeps the connection', async () => {
  await using s = await servers({ rateLimit: false })
  const bodies = [
    form({ to: 'nowhere' }),
    form({ content: ' ' }),
    form({ content: 'long '.repeat(3000) }),
    form({ type: 'nothing' }),
    form({ type: 'direct', to: '["nobody@example.com"]' }),
    new URLSearchParams({ type: 'stream' }),
    `${form()}&content=twice`,
    `${form()}&client=%zz`,
  ]
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const body of bodies) {
    const answer = await read(await s.ask(body, headers))
    assert.deepEqual(answer, await read(await s.askShell(body, headers)), String(body).slice(0, 80))
    assert.deepEqual([answer.isSent, answer.headers.connection], [false, 'keep-alive'])
  }
  assert.deepEqual(
    s.taken,
    bodies.map(() => true),
  )
})

test('sends a plain message once for an Idempotency-Key', async () => {
  await using s = await servers({ rateLimit: false })
  const send = async (content: string, key = 'once') =>
    (await s.ask(form({ content }), { 'idempotency-key': key })).json() as Promise<{ id?: number; code?: string }>
  const { id } = await send('first')
  assert.equal((await send('first')).id, id)
  assert.equal((await send('second')).code, 'IDEMPOTENCY_KEY_REUSED')
  assert.equal((await send('third', '')).code, 'BAD_REQUEST')
  assert.deepEqual(s.taken, [true, true, true, true])
})

test('counts plain sends against the limit, and says what is left', async () => {
  await using s = await servers({ rateLimits: { user: { requests: 2, seconds: 60 } } })
  const left = async () => {
    const { status, headers } = await s.ask(form())
    return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
  }
  assert.deepEqual(await left(), [200, '2', '1'])
  assert.deepEqual(await left(), [200, '2', '0'])
  assert.deepEqual(await left(), [429, '2', '0'])
  assert.deepEqual(s.taken, [true, true, false])
})

test('leaves unusual sends and unknown senders to the shell', async () => {
  await using s = await servers({ rateLimit: false })
  const json = JSON.stringify(Object.fromEntries(form()))
  const files = new FormData()
  for (const [name, value] of form()) files.append(name, value)
  const basic = (key: string) => `Basic ${Buffer.from(`${s.hamlet.email}:${key}`).toString('base64')}`
  const { api_key: token } = await s.hamlet.write((tx) =>
    issueToken(tx, s.hamlet.user, { name: 'reader', scopes: ['read'] }),
  )
  const sends: [RequestInit['body'], Record<string, string>?][] = [
    [json, { 'content-type': 'application/json' }],
    [files],
    [form(), { origin: 'https://elsewhere.example' }],
    [form(), { 'accept-encoding': 'gzip, identity;q=0' }],
    [form(), { 'content-type': 'application/x-www-form-urlencoded; charset=latin1' }],
    [form({ content: 'x'.repeat(200_000) })],
    [form(), { authorization: basic('x'.repeat(32)) }],
    [form(), { authorization: basic(token) }],
    [form(), { authorization: 'Basic x' }],
    [form(), { authorization: '' }],
    [''],
  ]
  for (const [body, headers] of sends) {
    assert.deepEqual(await read(await s.ask(body, headers)), await read(await s.askShell(body, headers)))
  }
  assert.deepEqual(
    s.taken,
    sends.map(() => false),
  )
})

test('leaves a send whose form arrives later than its head to the shell', async () => {
  await using s = await servers({ rateLimit: false })
  const body = String(form())
  const socket = connect(s.port, '127.0.0.1')
  const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  const head = [
    'POST /api/v1/messages HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: ${s.authorization}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`)
  while (s.taken.length === 0) await new Promise((resolve) => setImmediate(resolve))
  socket.write(body.slice(10))
  assert.match(await answered, /^HTTP\/1.1 200 OK\r\n/)
  socket.destroy()
  assert.deepEqual(s.taken, [false])
})

test('leaves a send that repeats a header to the shell, which rejects two credentials and two types', async () => {
  await using s = await servers({ rateLimit: false })
  const body = String(form())
  const headers = {
    host: '127.0.0.1',
    authorization: s.authorization,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  }
  const statusWith = async (name: string, value: string) => {
    const flat = [...Object.entries(headers).flat(), name, value]
    const asked = request({ port: s.port, path: '/api/v1/messages', method: 'POST', headers: flat, agent: false })
    asked.end(body)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  assert.equal(await statusWith('authorization', 'Basic eDp5'), 401)
  assert.equal(await statusWith('content-type', 'application/json'), 415)
  assert.equal(await statusWith('x-more', '1'), 200)
  assert.deepEqual(s.taken, [false, false, true])
})

test('closes the connection after a plain send on release', async () => {
  await using s = await servers({ rateLimit: false })
  s.app.release()
  assert.equal((await s.ask(form())).headers.get('connection'), 'close')
  assert.deepEqual(s.taken, [true])
})

test('leaves the answer of a host application that has answered itself', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const listener = nodeListener(createApp({ chat: w.chat }))
  const server = createServer((request, response) => {
    listener(request, response)
    response.writeHead(503).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const authorization = `Basic ${Buffer.from(`${hamlet.email}:${hamlet.key}`).toString('base64')}`
  for (const body of [form(), form({ to: 'nowhere' })]) {
    const url = `http://127.0.0.1:${port}/api/v1/messages`
    assert.equal((await fetch(url, { method: 'POST', body, headers: { authorization } })).status, 503)
  }
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('logs an answer that a host application keeps from being written, and answers 500', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const errors: unknown[] = []
  const listener = nodeListener({ ...createApp({ chat: w.chat }), logFailure: (error) => void errors.push(error) })
  const failure = new Error('a middleware failed')
  const server = createServer((request, response) => {
    response.writeHead = () => {
      Reflect.deleteProperty(response, 'writeHead')
      throw failure
    }
    listener(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const authorization = `Basic ${Buffer.from(`${hamlet.email}:${hamlet.key}`).toString('base64')}`
  for (const body of [form(), form({ to: 'nowhere' })]) {
    const url = `http://127.0.0.1:${port}/api/v1/messages`
    assert.equal((await fetch(url, { method: 'POST', body, headers: { authorization } })).status, 500)
  }
  assert.deepEqual(errors, [failure, failure])
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('leaves all sends to the shell if requests are logged or the host identifies people', async () => {
  await using logged = await servers({ onRequest: () => {} })
  await using hosted = await servers({ authenticate: async () => undefined })
  assert.deepEqual([logged.app.answerSend, hosted.app.answerSend], [undefined, undefined])
})
