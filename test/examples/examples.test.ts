import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { quickStart } from '../quick-start.ts'
import { rounds } from '../rounds.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const fromSource = ['--import', new URL('from-source.js', import.meta.url).href]

interface Example extends AsyncDisposable {
  url: string
  /** Sends a request to the API as the owner; throws unless it succeeds. */
  api(path: string, body?: Record<string, string>, method?: string): Promise<Record<string, unknown>>
}

/** Starts an example on a free port and waits until it prints where it listens. */
async function start(name: string): Promise<Example> {
  const child = spawn(process.execPath, [...fromSource, join(root, 'examples', name)], {
    env: { ...quickStart(), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let credentials = ''
  for await (const line of createInterface({ input: child.stdout })) {
    const owner = /^owner (\S+) (\S+)$/.exec(line)
    if (owner) credentials = `Basic ${Buffer.from(`${owner[1]}:${owner[2]}`).toString('base64')}`
    const url = /^listening on (\S+)$/.exec(line)?.[1]
    if (!url) continue
    return {
      url,
      async api(path, body, method = body ? 'POST' : 'GET') {
        const headers = { authorization: credentials }
        const form = body && { body: new URLSearchParams(body) }
        const answer = (await (await fetch(`${url}/api/v1${path}`, { method, headers, ...form })).json()) as Record<
          string,
          unknown
        >
        assert.equal(answer.result, 'success', JSON.stringify(answer))
        return answer
      },
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error(`${name} ended without listening`)
}

test("serves the whole chat beside a host's own pages", { concurrency: 2 }, async (t) => {
  const hosts = ['node-http.ts', 'express.ts', 'fastify.ts', 'hono.ts'].slice(0, rounds({ short: 2, full: 4 }))
  t.diagnostic(hosts.join(', '))
  await Promise.all(
    hosts.map((name) =>
      t.test(name, async () => {
        await using site = await start(name)
        assert.equal(await (await fetch(site.url)).text(), 'My own page')
        // A form body, a long poll and a missing path pass through the host's own handling.
        const { queue_id, last_event_id } = await site.api('/register', { event_types: '["message"]' })
        const polled = site.api(`/events?queue_id=${queue_id}&last_event_id=${last_event_id}`)
        const content = 'Grüße & more'
        const sent = await site.api('/messages', { type: 'stream', to: 'general', topic: 'hello', content })
        const { events } = (await polled) as { events: { message: { id: number; content: string } }[] }
        assert.deepEqual(
          events.map(({ message }) => [message.id, message.content]),
          [[sent.id, content]],
        )
        await site.api(`/messages/${sent.id}`, { content: 'changed' }, 'PATCH')
        const missing = await fetch(`${site.url}/api/v1/nothing`)
        assert.equal(missing.status, 404)
        assert.equal(((await missing.json()) as { result: string }).result, 'error')
      }),
    ),
  )
})

test('bot.ts answers users who mention it', async () => {
  await using site = await start('bot.ts')
  const { queue_id, last_event_id } = await site.api('/register', {
    event_types: '["message"]',
    apply_markdown: 'false',
  })
  await site.api('/messages', { type: 'stream', to: 'general', topic: 'hello', content: '@**Echo** are you there?' })
  const contents: string[] = []
  for (let last = Number(last_event_id); contents.length < 2; ) {
    const poll = await site.api(`/events?queue_id=${queue_id}&last_event_id=${last}`)
    for (const event of poll.events as { id: number; message: { content: string } }[]) {
      last = event.id
      contents.push(event.message.content)
    }
  }
  assert.deepEqual(contents, ['@**Echo** are you there?', '> @**Echo** are you there?'])
})

test('host-users.ts recognizes people by its own session and others by their keys', async () => {
  await using site = await start('host-users.ts')
  assert.equal(await (await fetch(site.url)).text(), 'Hello, stranger')
  const [cookie] = (await fetch(`${site.url}/sign-in?name=Ann`)).headers.getSetCookie()
  const headers = { cookie: cookie!.split(';')[0]! }
  assert.equal(await (await fetch(site.url, { headers })).text(), 'Hello, Ann')
  const own = await fetch(`${site.url}/api/v1/users/me`, { headers })
  assert.equal(((await own.json()) as { email: string }).email, 'ann@example.com')
  const body = new URLSearchParams({ type: 'stream', to: 'general', topic: 'hello', content: 'from my session' })
  const sent = await fetch(`${site.url}/api/v1/messages`, { method: 'POST', headers, body })
  const { id } = (await sent.json()) as { id: number }
  const { message } = await site.api(`/messages/${id}`)
  assert.equal((message as { sender_full_name: string }).sender_full_name, 'Ann')
  assert.equal((await fetch(`${site.url}/api/v1/users/me`)).status, 401)
})

test('own-tables.ts commits a message and its row together or not at all', async () => {
  const child = spawn(process.execPath, [...fromSource, join(root, 'examples/own-tables.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) lines.push(line)
  assert.deepEqual(lines.slice(1), [
    'refused: UNIQUE constraint failed: app_invoice.number',
    '[{"number":"2026-001","cents":1250,"content":"Invoice 2026-001: 12.50"}]',
  ])
})

test('client.ts prints messages as they are sent', async () => {
  const child = spawn(process.execPath, [...fromSource, join(root, 'examples/client.ts')], {
    env: { ...quickStart(), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) if (line === '<p>Ann is here</p>') break
  child.kill('SIGKILL')
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
})

test('every example runs in these tests', () => {
  assert.deepEqual(readdirSync(join(root, 'examples')).sort(), [
    'bot.ts',
    'client.ts',
    'express.ts',
    'fastify.ts',
    'hono.ts',
    'host-users.ts',
    'node-http.ts',
    'open-demo.ts',
    'own-tables.ts',
    'testing',
  ])
})
