import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, start } from '../bin/running.ts'
import { borrowDatabase, needsServer } from '../nodes/nodes.ts'
import { onlyInFull, rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

// A server under steady use must not need more memory as time goes by. `SOAK_MINUTES=480 node test/run.js soak/` for more.

const MINUTES = rounds({ short: 0.2, full: 0.2, variable: 'SOAK_MINUTES' })
const READERS = 20
const SENDS_A_SECOND = 10
/** By how many MiB the server may grow between the second and the last quarter of the time. */
const GROWTH = MINUTES < 20 ? 64 : 32
const MAX_LOG = 64 * 1024 * 1024

const residentMib = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

const { skip } = process.platform === 'linux' ? onlyInFull('takes its time') : { skip: 'reads /proc' }

test(`memory and log stay level in ${MINUTES} minutes of steady use`, {
  skip,
  timeout: (MINUTES + 5) * 60_000,
}, async (t) => {
  using folder = new TemporaryFolder()
  await using database = needsServer.skip ? undefined : await borrowDatabase()
  const env = database && { CHAT_DB: database.url }
  const args = ['init', '--org', 'Soak', '--owner-email', 'o@example.com', '--owner-name', 'Olga', '--json']
  const owner = JSON.parse((await run(folder, args, env)).out) as { email: string; api_key: string }
  const server = await start(folder, ['--port', '0', '--no-rate-limit'], env)
  const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.api_key}`).toString('base64')}`
  const end = performance.now() + MINUTES * 60_000
  const isOver = () => performance.now() >= end
  let sent = 0
  let received = 0
  const ask = async (method: string, path: string, params: Record<string, string>) => {
    const body = new URLSearchParams(params)
    const response = await fetch(`${server.url}/api/v1${path}${method === 'GET' ? `?${body}` : ''}`, {
      method,
      headers: { authorization },
      ...(method !== 'GET' && { body }),
    })
    assert.equal(response.status, 200, `${method} ${path}`)
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any request.
    return (await response.json()) as any
  }

  async function read(): Promise<void> {
    while (!isOver()) {
      const { queue_id, last_event_id } = await ask('POST', '/register', { event_types: '["message"]' })
      let last = last_event_id
      // New queues from time to time, as of browsers that come and go.
      for (let polls = 0; polls < 200 && !isOver(); polls++) {
        const { events } = await ask('GET', '/events', { queue_id, last_event_id: String(last) })
        received += events.length
        last = events.at(-1)?.id ?? last
      }
      await ask('DELETE', '/events', { queue_id })
    }
  }
  async function send(): Promise<void> {
    while (!isOver()) {
      const content = `message ${++sent} `.repeat(1 + (sent % 20))
      const { id } = await ask('POST', '/messages', {
        type: 'stream',
        to: 'general',
        topic: `topic ${sent % 50}`,
        content,
      })
      if (sent % 10 === 0) await ask('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
      if (sent % 50 === 0) await ask('GET', '/messages', { anchor: 'newest', num_before: '1000', num_after: '0' })
      if (sent % 100 === 0) await ask('DELETE', `/messages/${id}`, {})
      await sleep(1000 / SENDS_A_SECOND)
    }
    // Readers that wait hear that it is over.
    await ask('POST', '/messages', { type: 'stream', to: 'general', topic: 'end', content: 'over' })
  }

  const samples: number[] = []
  let largestLog = 0
  async function watch(): Promise<void> {
    while (!isOver()) {
      samples.push(residentMib(server.process.pid!))
      if (!database) largestLog = Math.max(largestLog, statSync(join(folder.path, 'chat.db-wal')).size)
      await sleep(Math.min(10_000, MINUTES * 1000))
    }
  }
  try {
    await Promise.all([send(), watch(), ...Array.from({ length: READERS }, read)])
    const quarter = samples.length >> 2
    const before = median(samples.slice(quarter, 2 * quarter))
    const after = median(samples.slice(-quarter))
    t.diagnostic(
      `${MINUTES} minutes, ${sent} messages, ${received} events, ${Math.round(before)} MiB then ${Math.round(after)} MiB, log up to ${Math.round(largestLog / 1024)} KiB`,
    )
    assert.ok(received > sent)
    assert.ok(largestLog < MAX_LOG, `the log has ${largestLog} bytes`)
    // In the first minutes, caches fill and code is compiled.
    if (MINUTES >= 10)
      assert.ok(after - before < GROWTH, `${before} MiB, then ${after} MiB: ${samples.map(Math.round)}`)
  } finally {
    server.process.kill('SIGTERM')
    await server.ended
  }
})
