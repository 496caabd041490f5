/**
 * Processor time of small requests over HTTP, in the server's process alone. `npm run bench:request`
 *
 * Requests that do almost nothing, so that the shell is measured: routing, signing in, counting, reading
 * parameters and answering. The floor is the same framework with a handler that does nothing.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { H3, serve } from 'h3'
import { createOrganization } from '../src/core/accounts/create-organization.ts'
import { openChat } from '../src/core/open-chat.ts'
import { createChatServer } from '../src/http/index.ts'
import { formPost, run } from './load.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20)
const SECONDS = 0.3

const part = process.argv[2]
if (part === 'floor') await serveFloor()
else if (part === 'chat') await serveChat()
else await measure()

async function serveFloor() {
  const app = new H3({ silent: true }).all('/**', () => ({ result: 'success', msg: '' }))
  const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true, gracefulShutdown: false })
  await server.ready()
  answerWithCpuTime({ port: Number(new URL(server.url!).port) })
}

async function serveChat() {
  const chat = await openChat({ passwordCost: 4 })
  const owner = await createOrganization(chat, { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga' })
  const unlimited = { requests: 1_000_000_000, seconds: 1 }
  const rateLimits = { user: unlimited, address: unlimited, files: unlimited }
  const server = await createChatServer({ chat, port: 0, rateLimits })
  answerWithCpuTime({ port: server.port, key: owner.api_key })
}

interface Ready {
  port: number
  key?: string
}

function answerWithCpuTime(ready: Ready): void {
  process.on('message', () => process.send?.(process.cpuUsage()))
  process.send?.(ready)
}

function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as T)))
}

async function start(name: string): Promise<Ready & { child: ChildProcess }> {
  const child = fork(fileURLToPath(import.meta.url), [name], { execArgv: process.execArgv })
  return { ...(await next<Ready>(child)), child }
}

/** Processor time that a child has used, in microseconds. */
async function cpuTime(child: ChildProcess): Promise<number> {
  child.send('how much?')
  const { user, system } = await next<NodeJS.CpuUsage>(child)
  return user + system
}

async function measure() {
  const floor = await start('floor')
  const chat = await start('chat')
  const authorization = `Basic ${Buffer.from(`o@example.com:${chat.key}`).toString('base64')}`
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\nUser-Agent: bench/1\r\n${more}\r\n`
  const requests: [name: string, server: typeof chat, text: string][] = [
    ['floor: GET', floor, get('/')],
    ['floor: POST of a form', floor, formPost('/', { content: 'x' })],
    ['GET /health', chat, get('/health')],
    ['GET /server_settings', chat, get('/api/v1/server_settings')],
    [
      'GET /get_stream_id, signed in',
      chat,
      get('/api/v1/get_stream_id?stream=general', `Authorization: ${authorization}\r\n`),
    ],
    ['POST /messages/render, signed in', chat, formPost('/api/v1/messages/render', { content: 'x' }, authorization)],
  ]
  const times = new Map(requests.map(([name]) => [name, [] as number[]]))
  // Alternating, so that a slow moment of the machine does not affect only one of them.
  for (let round = 0; round < ROUNDS + 3; round++) {
    for (const [name, { child, port }, text] of requests) {
      const before = await cpuTime(child)
      const { perSecond } = await run({ port, connections: 8, request: () => text, seconds: SECONDS })
      const used = (await cpuTime(child)) - before
      // The first rounds are for the compiler.
      if (round >= 3) times.get(name)!.push(used / (perSecond * SECONDS))
    }
  }
  for (const [name, values] of times) {
    values.sort((a, b) => a - b)
    const at = (share: number) => values[Math.floor(values.length * share)]!.toFixed(1)
    console.log(name.padEnd(36), `p10 ${at(0.1)} µs   p50 ${at(0.5)} µs`)
  }
  floor.child.kill()
  chat.child.kill()
}
