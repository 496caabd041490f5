import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { busOf } from '../../src/core/events/log/bus.ts'
import type { AppOptions } from '../../src/http/app.ts'
import { createApp, nodeListener } from '../../src/http/index.ts'
import { register, sendMessage } from '../../src/index.ts'
import { world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'

/** A server that notes which polls it answered directly, and one that leaves all to the shell. */
async function servers(options: AppOptions = {}) {
  const w = await world()
  const app = createApp({ chat: w.chat, ...options })
  const { answerPoll, ...withoutPolls } = app
  const taken: boolean[] = []
  const noting = async (request: IncomingMessage, response: ServerResponse) => {
    const answered = answerPoll ? await answerPoll(request, response) : false
    taken.push(answered)
    return answered
  }
  const listen = async (listener: ReturnType<typeof nodeListener>) => {
    const server = createServer(listener)
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1` }
  }
  const direct = await listen(nodeListener({ ...withoutPolls, answerPoll: noting }))
  const shell = await listen(nodeListener(withoutPolls))
  const { hamlet } = w
  const { queue_id, last_event_id } = await register(hamlet, { event_types: ['message'], fetch_event_types: [] })
  const authorization = `Basic ${Buffer.from(`${hamlet.email}:${hamlet.key}`).toString('base64')}`
  return {
    w,
    app,
    taken,
    plain: `queue_id=${queue_id}&last_event_id=${last_event_id}`,
    authorization,
    send: (content: string) => sendMessage(hamlet, { type: 'direct', to: [hamlet.id], content }),
    ask: (path: string, headers: Record<string, string> = {}) =>
      fetch(direct.url + path, { headers: { authorization, ...headers } }),
    askShell: (path: string, headers: Record<string, string> = {}) =>
      fetch(shell.url + path, { headers: { authorization, ...headers } }),
    async [Symbol.asyncDispose]() {
      app.release()
      for (const { server } of [direct, shell]) server.close().closeAllConnections()
      await w[Symbol.asyncDispose]()
    },
  }
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

async function read(response: Response): Promise<Answer> {
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}

test('answers a plain poll directly, exactly as the shell does', async () => {
  await using s = await servers({ rateLimit: false })
  await s.send('one')
  for (const query of [s.plain, s.plain.split('&').reverse().join('&'), `${s.plain}&dont_block=false`]) {
    assert.deepEqual(await read(await s.ask(`/events?${query}`)), await read(await s.askShell(`/events?${query}`)))
  }
  assert.deepEqual(s.taken, [true, true, true])
})

test('counts plain polls against the limit, and says what is left', async () => {
  await using s = await servers({ rateLimits: { polls: { requests: 2, seconds: 60 } } })
  await s.send('one')
  const left = async () => {
    const { status, headers } = await s.ask(`/events?${s.plain}`)
    return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
  }
  assert.deepEqual(await left(), [200, '2', '1'])
  assert.deepEqual(await left(), [200, '2', '0'])
  assert.deepEqual(await left(), [429, '2', '0'])
  assert.deepEqual(s.taken, [true, true, false])
})

test('leaves unusual polls and failures to the shell', async () => {
  await using s = await servers({ rateLimit: false })
  await s.send('one')
  const [queue_id, last_event_id] = s.plain.split('&') as [string, string]
  const wrongKey = `Basic ${Buffer.from(`hamlet@example.com:${'x'.repeat(32)}`).toString('base64')}`
  const polls: [string, Record<string, string>?][] = [
    [`${s.plain}&dont_block=true`],
    [`${s.plain}&unknown=1`],
    [`${s.plain}&${last_event_id}`],
    [`${queue_id}&last_event_id=%30`],
    [`${queue_id}&last_event_id=99999`],
    [`${queue_id}&last_event_id=x`],
    [queue_id],
    [`queue_id=unknown&${last_event_id}`],
    [s.plain, { origin: 'https://elsewhere.example' }],
    [s.plain, { 'accept-encoding': 'gzip, identity;q=0' }],
    [s.plain, { authorization: wrongKey }],
    [s.plain, { authorization: 'Basic x' }],
    [s.plain, { authorization: '' }],
  ]
  for (const [query, headers] of polls) {
    const path = `/events?${query}`
    assert.deepEqual(await read(await s.ask(path, headers)), await read(await s.askShell(path, headers)), path)
  }
  assert.deepEqual(
    s.taken,
    polls.map(() => false),
  )
})

test('leaves a long answer to the shell if it may be compressed', async () => {
  await using s = await servers({ rateLimit: false })
  await s.send('long '.repeat(2000))
  const path = `/events?${s.plain}`
  const compressed = await s.ask(path, { 'accept-encoding': 'gzip' })
  assert.equal(compressed.headers.get('content-encoding'), 'gzip')
  assert.match(await compressed.text(), /long long/)
  assert.deepEqual(s.taken, [false])
})

test('answers a waiting plain poll after an event, and on release', async () => {
  await using s = await servers({ rateLimit: false })
  const waiting = () => eventually('the poll waits', () => busOf(s.w.chat).waiting() === 1)
  const first = s.ask(`/events?${s.plain}`)
  await waiting()
  await s.send('one')
  const { events } = (await (await first).json()) as { events: { id: number }[] }
  const second = s.ask(`/events?${s.plain.replace(/last_event_id=\d+/, `last_event_id=${events.at(-1)!.id}`)}`)
  await waiting()
  s.app.release()
  const answer = await second
  assert.equal(answer.headers.get('connection'), 'close')
  assert.deepEqual(((await answer.json()) as { events: unknown[] }).events, [])
  assert.deepEqual(s.taken, [true, true])
})

test('ends a waiting plain poll when its client disconnects', async () => {
  await using s = await servers({ rateLimit: false })
  const controller = new AbortController()
  const poll = fetch(`${(await s.ask('/server_settings')).url.replace('server_settings', 'events')}?${s.plain}`, {
    headers: { authorization: s.authorization },
    signal: controller.signal,
  }).catch(() => 'aborted')
  await eventually('the poll waits', () => busOf(s.w.chat).waiting() === 1)
  controller.abort()
  assert.equal(await poll, 'aborted')
  await eventually('no poll waits', () => busOf(s.w.chat).waiting() === 0)
  assert.deepEqual(s.taken, [false, true])
})

test('leaves all polls to the shell if requests are logged or the host identifies people', async () => {
  await using logged = await servers({ onRequest: () => {} })
  await using hosted = await servers({ authenticate: async () => undefined })
  assert.deepEqual([logged.app.answerPoll, hosted.app.answerPoll], [undefined, undefined])
})
