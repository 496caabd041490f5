/**
 * Compressed answers beside plain ones, over HTTP: bytes, milliseconds of the server's processor (all threads), and the longest
 * block of its event loop. `npm run bench:compression`
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { issueKey } from '../src/core/accounts/keys.ts'
import { createChatServer } from '../src/http/index.ts'
import { world } from '../src/testing/world.ts'
import { longestBlock } from './longest-block.ts'
import { median } from './median.ts'
import { seedUsers } from './stalls/seeds.ts'
import { randomFrom, vocabulary } from './words.ts'

const PEOPLE = 2000
const MESSAGES = 120
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const encodings = ['identity', 'gzip', 'br', 'zstd'] as const

const random = randomFrom(1)
const words = vocabulary(random, 2000)
const sentence = () => Array.from({ length: 25 }, () => words[Math.floor(words.length * random() ** 3)]).join(' ')

/** Event queues that one user may have. */
const REGISTERS_PER_USER = 90

interface Ready {
  port: number
  authorization: string
  /** The users who register. */
  others: string[]
  queue_id: string
}
interface Used {
  /** Milliseconds. */
  processor: number
  block: number
}

async function serve(): Promise<void> {
  const w = await world({ chat: { checkContract: false } })
  const { iago } = w.people
  const ids = await seedUsers(w, PEOPLE)
  const { queue_id } = await iago.api.post('/register', { event_types: ['message'], idle_queue_timeout: 3600 })
  for (let i = 0; i < MESSAGES; i++) {
    await iago.api.post('/messages', { type: 'stream', to: 'general', topic: `topic ${i % 9}`, content: sentence() })
  }
  const server = await createChatServer({ chat: w.chat, rateLimit: false })
  let began = process.cpuUsage()
  let block: (() => number) | undefined
  process.on('message', (order: 'begin' | 'watch' | 'end') => {
    if (order === 'end') {
      const { user, system } = process.cpuUsage(began)
      return void process.send?.({ processor: (user + system) / 1000, block: block?.() ?? 0 } satisfies Used)
    }
    block = order === 'watch' ? longestBlock() : undefined
    began = process.cpuUsage()
    process.send?.({})
  })
  const basic = (email: string, key: string) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const registers = ROUNDS + 1
  const others: string[] = []
  for (const [i, id] of ids
    .slice(0, Math.ceil((registers * 4 * 2 * encodings.length) / REGISTERS_PER_USER))
    .entries()) {
    others.push(basic(`crowd${i}@example.com`, await iago.write((tx) => issueKey(tx, id))))
  }
  const authorization = basic(iago.email, iago.key)
  process.send?.({ port: server.port, authorization, others, queue_id } satisfies Ready)
}

async function answerOf<T>(child: ChildProcess, order?: 'begin' | 'watch' | 'end'): Promise<T> {
  if (order) child.send(order)
  const [answer] = await once(child, 'message')
  return answer
}

async function measure(): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: process.execArgv })
  const { port, authorization, others, queue_id } = await answerOf<Ready>(child)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let registered = 0
  const ask = async (method: string, path: string, body: string, encoding: string): Promise<number> => {
    const headers = {
      authorization: path === '/register' ? others[registered++ % others.length]! : authorization,
      'accept-encoding': encoding,
      ...(body && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length }),
    }
    const asked = request({ port, method, path: `/api/v1${path}`, headers, agent }).end(body)
    const [answer]: [IncomingMessage] = (await once(asked, 'response')) as [IncomingMessage]
    let bytes = 0
    for await (const piece of answer) bytes += piece.length
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
    return bytes
  }
  const message = new URLSearchParams({ type: 'stream', to: 'general', topic: 'x', content: sentence() }).toString()
  const polled = `/events?queue_id=${queue_id}&dont_block=true&last_event_id=`
  const requests: readonly (readonly [name: string, times: number, method: string, path: string, body: string])[] = [
    [`register of ${PEOPLE} people`, 4, 'POST', '/register', 'client_gravatar=false'],
    ['100 messages', 25, 'GET', '/messages?anchor=newest&num_before=100&num_after=0', ''],
    ['a send', 40, 'POST', '/messages', message],
    ['a poll of 120 messages', 25, 'GET', `${polled}-1`, ''],
  ]
  for (const [name, times, method, path, body] of requests) {
    const found = new Map(
      encodings.map((encoding) => [encoding, { bytes: 0, times: [] as number[], block: [] as number[] }]),
    )
    for (let round = 0; round < ROUNDS + 1; round++) {
      for (const [encoding, figures] of found) {
        for (const order of ['begin', 'watch'] as const) {
          await answerOf(child, order)
          for (let i = 0; i < times; i++) figures.bytes = await ask(method, path, body, encoding)
          const { processor, block } = await answerOf<Used>(child, 'end')
          // The first round is for the compiler.
          if (round === 0) continue
          if (order === 'begin') figures.times.push(processor / times)
          else figures.block.push(block)
        }
      }
    }
    for (const [encoding, { bytes, times: used, block }] of found) {
      const figures = `${String(bytes).padStart(9)} bytes ${median(used).toFixed(3).padStart(9)} ms`
      console.log(`${name.padEnd(26)} ${encoding.padEnd(9)}${figures}   longest block ${median(block).toFixed(1)} ms`)
    }
  }
  agent.destroy()
  child.kill()
}

if (process.argv[2] === 'serve') await serve()
else await measure()
