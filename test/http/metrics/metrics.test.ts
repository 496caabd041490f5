import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import test from 'node:test'
import { createApp, createMetrics, metricsListener } from '../../../src/http/index.ts'
import { world } from '../../../src/testing/world.ts'
import { eventually } from '../../eventually.ts'
import { basic, form } from '../targets.ts'

/** The samples of a text in the format of Prometheus, by name with labels; throws for a line that is none. */
function samplesOf(text: string): Map<string, number> {
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, value] = /^([a-z_:]\w*(?:\{.*\})?) (\S+)(?: \d+)?$/i.exec(line) ?? []
    assert.ok(name && (value === 'Nan' || Number.isFinite(Number(value))), line)
    samples.set(name, Number(value))
  }
  return samples
}

async function measured() {
  const w = await world()
  const metrics = await createMetrics(w.chat)
  const app = createApp({ chat: w.chat, metrics })
  const { email, key } = w.people.hamlet
  const ask = (method: string, path: string, parameters?: Record<string, string>) =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: basic(email, key) },
        ...(parameters && { body: form(parameters) }),
      }),
    )
  return {
    w,
    metrics,
    ask,
    samples: async () => samplesOf(await metrics.text()),
    [Symbol.asyncDispose]: () => w.chat.close(),
  }
}

test('counts requests by method, route and status, never by client input', async () => {
  await using m = await measured()
  await m.ask('GET', '/api/v1/users/me')
  await m.ask('GET', `/api/v1/users/${m.w.people.hamlet.id}`)
  await m.ask('GET', '/api/v1/users/999999')
  await m.ask('PURGE', '/api/v1/users/me')
  await m.ask('GET', '/nowhere/at/all')
  await m.ask('GET', '/api/v1/%zz')
  await m.ask('GET', '/health')
  const samples = await m.samples()
  const counted = [...samples].filter(([name]) => name.startsWith('chat_http_requests_total{'))
  assert.deepEqual(
    new Map(counted.map(([name, value]) => [name.slice('chat_http_requests_total'.length), value])),
    new Map([
      ['{method="GET",route="/api/v1/users/me",status="200"}', 1],
      ['{method="GET",route="/api/v1/users/:user_id(\\\\d+)",status="200"}', 1],
      ['{method="GET",route="/api/v1/users/:user_id(\\\\d+)",status="400"}', 1],
      ['{method="other",route="/api/v1/users/me",status="405"}', 1],
      ['{method="GET",route="none",status="404"}', 1],
      ['{method="GET",route="none",status="400"}', 1],
      ['{method="GET",route="/health",status="200"}', 1],
    ]),
  )
  const labels = 'method="GET",route="/api/v1/users/:user_id(\\\\d+)"'
  assert.equal(samples.get(`chat_http_request_duration_seconds_count{${labels}}`), 2)
  const seconds = samples.get(`chat_http_request_duration_seconds_sum{${labels}}`)!
  assert.ok(seconds > 0 && seconds < 10)
})

test('reports commits, shared writes, queues, waiting polls and sizes', async () => {
  await using m = await measured()
  const send = (content: string) =>
    m.ask('POST', '/api/v1/messages', { type: 'stream', to: 'general', topic: 'x', content })
  const before = await m.samples()
  await Promise.all([send('1'), send('2'), send('3')])
  const { queue_id, last_event_id } = (await (await m.ask('POST', '/api/v1/register', {})).json()) as {
    queue_id: string
    last_event_id: number
  }
  const poll = m.ask('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`)
  await eventually('the poll waits', async () => (await m.samples()).get('chat_waiting_polls') === 1)
  const after = await m.samples()
  const grown = (name: string) => after.get(name)! - before.get(name)!
  assert.equal(grown('chat_commit_group_size_count'), grown('chat_commits_total'))
  assert.ok(grown('chat_commits_total') >= 2)
  assert.ok(grown('chat_commit_group_size_sum') >= 4)
  assert.deepEqual([grown('chat_event_queues'), grown('chat_waiting_polls')], [1, 1])
  assert.ok(after.get('chat_database_bytes')! >= 4096)
  assert.equal(after.get('chat_database_log_bytes'), 0)
  assert.ok(after.get('nodejs_eventloop_lag_p99_seconds')! >= 0)
  assert.ok(after.get('process_resident_memory_bytes')! > 1e6)
  await send('news')
  assert.equal((await poll).status, 200)
  assert.equal((await m.samples()).get('chat_waiting_polls'), 0)
})

test('the metrics port answers GET /metrics and JSON 404s for everything else', async () => {
  await using w = await world()
  const server = createServer(metricsListener(await createMetrics(w.chat)))
    .listen(0, '127.0.0.1')
    .unref()
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  const found = await ask('/metrics')
  assert.match(found.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  assert.ok(samplesOf(await found.text()).has('chat_commits_total'))
  for (const answer of [await ask('/'), await ask('/metrics', { method: 'POST' }), await ask('/api/v1/messages')]) {
    assert.deepEqual([answer.status, ((await answer.json()) as { result: string }).result], [404, 'error'])
  }
  await w.chat.close()
  const closed = await ask('/metrics')
  assert.equal(closed.status, 503)
  assert.match(await closed.text(), /^The metrics cannot be read: /)
  server.close()
})
