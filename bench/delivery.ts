/**
 * One sender, many waiting clients in one stream: how soon all of them have the message, what one that waits costs, and
 * both against held answers of the same HTTP framework. `node --import tsx bench/delivery.ts [clients]...`
 *
 * The servers are processes of their own, the chat's on a file; the clients are in this one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { H3, serve } from 'h3'
import { FastResponse } from 'srvx'
import { actingAs } from '../src/core/caller.ts'
import { openChat } from '../src/core/chat.ts'
import { position } from '../src/core/events/emit.ts'
import { createQueue } from '../src/core/events/queues.ts'
import { createOrganization } from '../src/core/organization/create.ts'
import { subscribe } from '../src/core/streams/subscribe.ts'
import { findUser } from '../src/core/users/access.ts'
import { addUser } from '../src/core/users/create.ts'
import { issueKey } from '../src/core/users/keys.ts'
import { createChatServer } from '../src/http/index.ts'
import { formPost } from './load.ts'
import { get, type Waiter, waiter } from './waiters.ts'

const CONTENT = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'
const CLIENTS_PER_USER = 10
/** Messages measured, in batches that alternate with those of the floor. */
const BATCHES = 5
const BATCH = 10

const [part, ...rest] = process.argv.slice(2)
if (part === 'floor') await serveFloor()
else if (part === 'chat') await serveChat(rest[0]!, Number(rest[1]))
else await measure((part === undefined ? [50, 500, 2000] : process.argv.slice(2)).map(Number))

/** What a server tells: once where it is, then how many wait and its memory, whenever asked. */
interface Ready {
  port: number
  sender: string
  /** A request each client waits with; it goes on after `AFTER`. */
  waits: string[]
  sends: string
}
interface State {
  waiting: number
  rss: number
  used: number
}

function tellState(waiting: () => number): void {
  process.on('message', (wanted) => {
    if (wanted === 'gc') globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({ waiting: waiting(), rss, used: heapUsed + external } satisfies State)
  })
}

async function serveFloor() {
  const app = new H3()
  let text = ''
  let held: (() => void)[] = []
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  app.get('/wait', async () => {
    await new Promise<void>((resolve) => held.push(resolve))
    return new FastResponse(text, { status: 200, headers })
  })
  app.post('/send', async (event) => {
    text = (await event.req.text()) || text
    const all = held
    held = []
    for (const release of all) release()
    return new FastResponse('{"result":"success"}', { status: 200, headers })
  })
  const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true })
  await server.ready()
  tellState(() => held.length)
  process.send?.({ port: Number(new URL(server.url!).port), sender: '', waits: [], sends: '' } satisfies Ready)
}

async function serveChat(db: string, clients: number) {
  const chat = await openChat({ db, passwordCost: 4 })
  const owner = await createOrganization(chat, { org: 'Bench', owner_email: 'o@example.com', owner_name: 'o' })
  const boss = actingAs(chat, (await findUser(chat.store.db, owner.user_id))!)
  const basic = (email: string, key: string) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const users = []
  for (let i = 0; i * CLIENTS_PER_USER < clients; i++) {
    const email = `user${i}@example.com`
    const user = await boss.write((tx) =>
      addUser(tx, {
        email,
        full_name: `user ${i}`,
        role: 400,
        password_hash: null,
        bot_type: 1,
        bot_owner_id: boss.user.id,
      }),
    )
    users.push({ user, authorization: basic(email, await boss.write((tx) => issueKey(tx, user.id))) })
  }
  await subscribe(boss, {
    subscriptions: [{ name: 'crowd' }],
    principals: [boss.user.id, ...users.map(({ user }) => user.id)],
  })
  const options = {
    event_types: ['message'],
    narrow: [],
    all_public_streams: false,
    apply_markdown: true,
    client_gravatar: true,
    slim_presence: false,
    include_subscribers: false,
    capabilities: {},
  }
  const waits: string[] = []
  for (let i = 0; i < clients; i++) {
    const { user, authorization } = users[i % users.length]!
    const id = await actingAs(chat, user).write(async (tx) => createQueue(tx, options, await position(tx)))
    waits.push(get(`/api/v1/events?queue_id=${id}&last_event_id=AFTER`, authorization))
  }
  const server = await createChatServer({ chat, port: 0, rateLimit: false })
  tellState(() => chat.hub.waiting())
  const sender = basic('o@example.com', owner.api_key)
  const message = { type: 'stream', to: 'crowd', topic: 'bench', content: CONTENT }
  const sends = formPost('/api/v1/messages', message, sender)
  process.send?.({ port: server.port, sender, waits, sends } satisfies Ready)
}

interface Server extends Ready {
  child: ChildProcess
  state(gc?: 'gc'): Promise<State>
}

async function start(...args: string[]): Promise<Server> {
  const profile = process.env.CPU_PROF ? ['--cpu-prof', `--cpu-prof-name=${args[0]}.cpuprofile`] : []
  const child = fork(fileURLToPath(import.meta.url), args, {
    execArgv: [...process.execArgv, '--expose-gc', ...profile],
  })
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      child.once('message', (message) => resolve(message as T))
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    })
  const ready = await next<Ready>()
  return {
    ...ready,
    child,
    state(gc) {
      const state = next<State>()
      child.send(gc ?? 'state')
      return state
    },
  }
}

/** All clients of one server, waiting; `round` sends one message and resolves when all have it. */
interface Crowd {
  round(): Promise<{ afterAnswer: number; afterRequest: number }>
  body(): string
  close(): void
}

async function crowd(server: Server, requests: readonly string[], send: string): Promise<Crowd> {
  let body = ''
  let missing = 0
  let last = 0
  let done = () => {}
  const waiters: Waiter[] = []
  for (const request of requests) {
    const one: Waiter = await waiter(server.port, (text, at) => {
      body = text
      last = at
      again.push(() => one.ask(request.replace('AFTER', /"id":(\d+)\}\],"queue_id"/.exec(text)?.[1] ?? '')))
      if (--missing === 0) done()
    })
    one.ask(request.replace('AFTER', '-1'))
    waiters.push(one)
  }
  // Asked again only when everybody has an answer: how long an answer takes is the question here.
  const again: (() => void)[] = []
  let answeredAt = 0
  let answered = () => {}
  const sender = await waiter(server.port, (_, at) => {
    answeredAt = at
    answered()
  })
  return {
    async round() {
      while ((await server.state()).waiting < requests.length) await new Promise((resolve) => setTimeout(resolve, 5))
      missing = requests.length
      const start = performance.now()
      const all = new Promise<void>((resolve) => {
        done = resolve
      })
      const answer = new Promise<void>((resolve) => {
        answered = resolve
      })
      sender.ask(send)
      await Promise.all([all, answer])
      for (const ask of again.splice(0)) ask()
      return { afterAnswer: Math.max(0, last - answeredAt), afterRequest: last - start }
    },
    body: () => body,
    close() {
      for (const each of [...waiters, sender]) each.close()
    },
  }
}

async function measure(sizes: number[]) {
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
    const chat = await start('chat', join(folder, 'chat.db'), String(size))
    const floor = await start('floor')
    // A few come and go first, so that what is loaded and compiled only once is not counted.
    const few = await crowd(chat, chat.waits.slice(0, 20), chat.sends)
    for (let i = 0; i < 100; i++) await few.round()
    few.close()
    while ((await chat.state()).waiting > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const before = await chat.state('gc')
    const ours = await crowd(chat, chat.waits, chat.sends)
    while ((await chat.state()).waiting < size) await new Promise((resolve) => setTimeout(resolve, 20))
    const after = await chat.state('gc')

    await ours.round()
    const wait = get('/wait', 'Basic x')
    const plain = (text: string) =>
      `POST /send HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    const theirs = await crowd(
      floor,
      Array.from({ length: size }, () => wait),
      plain(ours.body()),
    )
    const [mine, base] = [await rounds(ours, 3), await rounds(theirs, 3)]
    for (const list of [mine, base]) list.splice(0)
    for (let batch = 0; batch < BATCHES; batch++) {
      mine.push(...(await rounds(ours, BATCH)))
      base.push(...(await rounds(theirs, BATCH)))
    }
    const end = await chat.state('gc')
    for (const each of [ours, theirs]) each.close()
    for (const { child } of [chat, floor]) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      child.kill('SIGINT')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
    report(size, mine, base, before, after, end)
  }
}

async function rounds(of: Crowd, count: number) {
  const found = []
  for (let i = 0; i < count; i++) found.push(await of.round())
  return found
}

type Rounds = Awaited<ReturnType<typeof rounds>>

function report(size: number, mine: Rounds, base: Rounds, before: State, after: State, end: State) {
  const sorted = (list: Rounds, key: 'afterAnswer' | 'afterRequest') => list.map((r) => r[key]).sort((a, b) => a - b)
  const at = (list: number[], share: number) => list[Math.min(list.length - 1, Math.floor(list.length * share))]!
  const rate = (list: Rounds) => size / (at(sorted(list, 'afterRequest'), 0.5) / 1000)
  const line = (name: string, value: string) => console.log(name.padEnd(62), value)
  const ms = (list: number[]) => `p50 ${at(list, 0.5).toFixed(1)} ms   p99 ${at(list, 0.99).toFixed(1)} ms`
  const kib = (bytes: number) => `${(bytes / size / 1024).toFixed(1)} KiB`
  console.log(`\n${size} clients`)
  line('deliveries', `${rate(mine).toFixed(0)}/s`)
  line('deliveries, floor (one prepared string)', `${rate(base).toFixed(0)}/s`)
  line('ratio (goal >= 0.5)', (rate(mine) / rate(base)).toFixed(2))
  line("from the send's answer to the last delivery (goal < 250 ms)", ms(sorted(mine, 'afterAnswer')))
  line("from the send's request to the last delivery", ms(sorted(mine, 'afterRequest')))
  line('the same, floor', ms(sorted(base, 'afterRequest')))
  line('memory of one that waits: resident (goal <= 16 KiB)', kib(after.rss - before.rss))
  line('memory of one that waits: heap and buffers', kib(after.used - before.used))
  line('the same after all those messages', `${kib(end.rss - before.rss)}, ${kib(end.used - before.used)}`)
}
