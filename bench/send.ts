/**
 * Accepted sends per second over HTTP, durable, against two floors of the same run. `npm run bench:send`
 *
 * The server is a process of its own, on a file; the load comes from this one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { H3, serve } from 'h3'
import { createOrganization, systemCaller } from '../src/core/accounts/create-organization.ts'
import { openChat } from '../src/core/open-chat.ts'
import { insertStream } from '../src/core/streams/create.ts'
import { createChatServer } from '../src/http/index.ts'
import { formPost, run } from './load.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const CONTENT = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'

const part = process.argv[2]
if (part === 'floor') await serveFloor()
else if (part === 'chat') await serveChat(process.argv[3]!)
else await measure()

async function serveFloor() {
  const app = new H3()
  app.post('/', async (event) => {
    new URLSearchParams(await event.req.text())
    return { result: 'success', msg: '' }
  })
  const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true })
  await server.ready()
  process.send?.({ port: Number(new URL(server.url!).port) })
}

async function serveChat(db: string) {
  const chat = await openChat({ db, passwordCost: 4 })
  const owner = await createOrganization(chat, { org: 'Bench', owner_email: 'o@example.com', owner_name: 'o' })
  const caller = await systemCaller(chat)
  for (const [name, subscribers] of [
    ['small', 10],
    ['large', 10_000],
  ] as const) {
    await caller.write(async (tx) => {
      const stream = await insertStream(tx, { name })
      const users = Array.from({ length: subscribers }, (_, i) => `${name}${i}`)
      for (const user of users) {
        const { id } = await tx.db
          .insertInto('user')
          .values({
            email: `${user}@example.com`,
            delivery_email: `${user}@example.com`,
            email_key: `${user}@example.com`,
            full_name: user,
            name_key: user,
            role: 400,
            is_active: 1,
            bot_type: null,
            bot_owner_id: null,
            is_system_bot: 0,
            date_joined: 0,
            timezone: '',
            avatar_source: 'G',
            avatar_version: 1,
            avatar_blob_id: null,
            password_hash: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const tie = { user_id: id, stream_id: stream.id }
        await tx.db
          .insertInto('subscription')
          .values({
            ...tie,
            is_active: 1,
            color: '#c2c2c2',
            is_muted: 0,
            pin_to_top: 0,
            desktop_notifications: null,
            audible_notifications: null,
            push_notifications: null,
            email_notifications: null,
            wildcard_mentions_notify: null,
          })
          .execute()
        await tx.db
          .insertInto('subscription_period')
          .values({ ...tie, from_message_id: 1, to_message_id: null, from_event_id: 1, to_event_id: null })
          .execute()
      }
    })
  }
  const server = await createChatServer({ chat, port: 0, rateLimit: false })
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
  process.send?.({ port: server.port, key: owner.api_key })
}

interface Ready {
  port: number
  key?: string
}

async function start(...args: string[]): Promise<Ready & { child: ChildProcess }> {
  const child = fork(fileURLToPath(import.meta.url), args, { execArgv: process.execArgv })
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ready))
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return { ...ready, child }
}

/** Processor time the server has used so far, in microseconds. */
async function cpuOf({ child }: { child: ChildProcess }): Promise<number> {
  child.send('cpu')
  const { cpu } = await new Promise<{ cpu: NodeJS.CpuUsage }>((resolve) =>
    child.once('message', (message) => resolve(message as { cpu: NodeJS.CpuUsage })),
  )
  return cpu.user + cpu.system
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  const floor = await start('floor')
  const post = formPost('/', { content: '' })
  await run({ port: floor.port, connections: 32, request: () => post, seconds: 2 })
  const http1 = await run({ port: floor.port, connections: 1, request: () => post, seconds: SECONDS })
  const http32 = await run({ port: floor.port, connections: 32, request: () => post, seconds: SECONDS })
  floor.child.kill()
  const rows = insertRows(join(folder, 'floor.db'))

  const chat = await start('chat', join(folder, 'chat.db'))
  const authorization = `Basic ${Buffer.from(`o@example.com:${chat.key}`).toString('base64')}`
  const send = (to: string) => {
    const text = formPost('/api/v1/messages', { type: 'stream', to, topic: 'bench', content: CONTENT }, authorization)
    return () => text
  }
  const load = (to: string, connections: number, seconds = SECONDS) =>
    run({ port: chat.port, connections, request: send(to), seconds })
  await load('small', 32, 3)
  const one = await load('small', 1)
  const before = await cpuOf(chat)
  const many = await load('small', 32)
  const cpuPerSend = ((await cpuOf(chat)) - before) / many.count
  // Alternating, so that a slow moment of the machine does not fall on one side.
  const small: number[] = []
  const large: number[] = []
  for (let i = 0; i < 4; i++) {
    small.push((await load('small', 32, 2)).perSecond)
    large.push((await load('large', 32, 2)).perSecond)
  }
  chat.child.kill()
  rmSync(folder, { recursive: true, force: true })

  const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length
  const line = (name: string, value: string) => console.log(name.padEnd(58), value)
  const rate = ({ perSecond, p50, p99 }: typeof one) =>
    `${perSecond.toFixed(0)}/s   p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms`
  line('HTTP floor (empty form post), 1 connection', rate(http1))
  line('HTTP floor (empty form post), 32 connections', rate(http32))
  line('the same rows by better-sqlite3 alone, FULL, batches of 32', `${rows.toFixed(0)}/s`)
  line('sends, 1 connection', rate(one))
  line('sends, 32 connections', rate(many))
  line('processor time of the server, 32 connections', `${cpuPerSend.toFixed(1)} µs a send`)
  line('ratio to the HTTP floor, 1 connection', (one.perSecond / http1.perSecond).toFixed(2))
  line('ratio to the HTTP floor, 32 connections (goal >= 0.35)', (many.perSecond / http32.perSecond).toFixed(2))
  line('ratio to the rows floor, 32 connections', (many.perSecond / rows).toFixed(2))
  line('cost, 10,000 subscribers to 10 (goal <= 1.2)', (mean(small) / mean(large)).toFixed(2))
}

/** A message's rows as the server writes them, without anything else. */
function insertRows(file: string): number {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(`create table message (id integer primary key autoincrement, sender_id int, conversation_id int, topic_id int,
    content text, rendered_content text, sent_at int, client text, read_by_sender int, flags int);
    create index a on message (conversation_id, id); create index b on message (topic_id, id);
    create index c on message (sender_id, id);
    create table event (id integer primary key autoincrement, type text, payload text, audience text, created_at int)`)
  const message = db.prepare('insert into message values (null, 1, 2, 3, ?, ?, 4, ?, 1, 0) returning id')
  const event = db.prepare("insert into event values (null, 'message', ?, '{\"stream\":2}', 4)")
  const payload = JSON.stringify({ content: CONTENT, rendered: CONTENT, rest: 'x'.repeat(500) })
  const batch = db.transaction(() => {
    for (let i = 0; i < 32; i++) {
      message.get(CONTENT, `<p>${CONTENT}</p>`, 'bench')
      event.run(payload)
    }
  })
  let count = 0
  const end = performance.now() + 3000
  while (performance.now() < end) {
    batch()
    count += 32
  }
  db.close()
  return count / 3
}
