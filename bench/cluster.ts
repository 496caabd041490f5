/**
 * Sends and deliveries with one, two and three nodes on one PostgreSQL, beside one node on SQLite, and beside the same rows
 * inserted by the driver alone. `npm run bench:cluster`
 *
 * The database server comes from npm, waits for the disk, and shares the machine with the nodes and the load. Sends are
 * measured inside the nodes' processes, as an embedder calls them, and over HTTP.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createOrganization, hasOrganization } from '../src/core/accounts/create-organization.ts'
import { busOf } from '../src/core/events/log/bus.ts'
import { openChat } from '../src/core/open-chat.ts'
import { createChatServer } from '../src/http/index.ts'
import { actAs, type Caller, createUser, getEvents, register, sendMessage } from '../src/index.ts'
import { startPostgres } from '../test/postgres/server.ts'
import { formPost, run } from './load.ts'
import { row } from './row.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
const READERS = Number(process.env.BENCH_READERS ?? 2000)
const CONTENT = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'
const GROUP = 32
const AT_ONCE = 64
const OWNER = { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga', owner_password: 'correct horse' }

/** A row with the members that never differ. */
const MESSAGE = {
  content: CONTENT,
  rendered_content: `<p>${CONTENT}</p>`,
  client: 'bench',
  sent_at: 4,
  read_by_sender: 1,
  stream_wildcard: 0,
  topic_wildcard: 0,
  has_link: 0,
  has_image: 0,
  has_attachment: 0,
  is_me_message: 0,
}

const [, , part, address] = process.argv
if (part === 'node') await serveNode(address!)
else await measure()

type Question = { readers: number } | { senders: number } | { steady: number } | 'cpu'

async function serveNode(db: string): Promise<void> {
  const chat = await openChat({ db, passwordCost: 4 })
  const owner = (await hasOrganization(chat)) ? undefined : await createOrganization(chat, OWNER)
  const server = await createChatServer({ chat, port: 0, rateLimit: false })
  let delivered = 0
  async function read(caller: Caller): Promise<void> {
    const { queue_id, ...registered } = await register(caller, { event_types: ['message'], fetch_event_types: [] })
    let { last_event_id } = registered
    for (;;) {
      const { events } = await getEvents(caller, { queue_id, last_event_id })
      delivered += events.length
      last_event_id = events.at(-1)?.id ?? last_event_id
    }
  }
  async function send(senders: number): Promise<number> {
    const caller = await actAs(chat, { email: OWNER.owner_email })
    const end = performance.now() + SECONDS * 1000
    let count = 0
    const sender = async () => {
      while (performance.now() < end) {
        await sendMessage(caller, { type: 'stream', to: 'general', topic: 'bench', content: CONTENT })
        count++
      }
    }
    await Promise.all(Array.from({ length: senders }, sender))
    return count
  }
  /** Sends so many messages, one each 200 ms. */
  async function sendSteadily(count: number): Promise<void> {
    const caller = await actAs(chat, { email: OWNER.owner_email })
    for (let i = 0; i < count; i++) {
      await sendMessage(caller, { type: 'stream', to: 'general', topic: 'bench', content: CONTENT })
      await delay(200)
    }
  }
  async function answer(question: Question): Promise<void> {
    const before = process.cpuUsage()
    if (question !== 'cpu' && 'steady' in question) {
      await sendSteadily(question.steady)
      process.send?.({ cpu: process.cpuUsage(), delivered })
      return
    }
    if (question !== 'cpu' && 'senders' in question) {
      const count = await send(question.senders)
      process.send?.({ cpu: process.cpuUsage(before), count })
      return
    }
    if (question !== 'cpu') {
      const reader = await actAs(chat, { email: OWNER.owner_email })
      const email = `reader${process.pid}@example.com`
      let caller = reader
      for (let i = 0; i < question.readers; i++) {
        // An account has a limited number of queues.
        if (i % 100 === 0) {
          await createUser(reader, {
            email: `${i}.${email}`,
            full_name: `reader ${process.pid} ${i}`,
            password: OWNER.owner_password,
          })
          caller = await actAs(chat, { email: `${i}.${email}` })
        }
        read(caller).catch((error) => process.send && console.error(error))
      }
      while (busOf(chat).waiting() < question.readers) await delay(50)
    }
    process.send?.({ cpu: process.cpuUsage(), delivered })
  }
  process.on('message', (question: Question) => void answer(question))
  process.on('disconnect', () => process.exit())
  process.send?.({ port: server.port, key: owner?.api_key })
}

interface Node {
  port: number
  key: string | undefined
  child: ChildProcess
}
interface Used {
  cpu: NodeJS.CpuUsage
  delivered: number
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a node ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })
}

async function startNode(db: string): Promise<Node> {
  const child = fork(fileURLToPath(import.meta.url), ['node', db], { execArgv: process.execArgv })
  return { ...(await answerOf<Omit<Node, 'child'>>(child)), child }
}

async function ask({ child }: Node, question: Question): Promise<Used> {
  child.send(question)
  return answerOf<Used>(child)
}

async function used(nodes: readonly Node[]): Promise<{ cpu: number; delivered: number }> {
  const all = await Promise.all(nodes.map((node) => ask(node, 'cpu')))
  return {
    cpu: all.reduce((sum, { cpu }) => sum + cpu.user + cpu.system, 0),
    delivered: all.reduce((sum, { delivered }) => sum + delivered, 0),
  }
}

/** Sends to `nodes`. The processor time is the sum over `all`. */
async function sends(nodes: readonly Node[], connections: number, all = nodes, seconds = SECONDS) {
  const authorization = `Basic ${Buffer.from(`o@example.com:${nodes[0]!.key}`).toString('base64')}`
  const text = formPost(
    '/api/v1/messages',
    { type: 'stream', to: 'general', topic: 'bench', content: CONTENT },
    authorization,
  )
  const before = await used(all)
  const loads = nodes.map(({ port }) =>
    run({ port, connections: Math.ceil(connections / nodes.length), request: () => text, seconds }),
  )
  const results = await Promise.all(loads)
  const after = await used(all)
  const count = results.reduce((sum, result) => sum + result.count, 0)
  return {
    perSecond: count / seconds,
    count,
    cpu: (after.cpu - before.cpu) / count,
    delivered: after.delivered - before.delivered,
    used: after.cpu - before.cpu,
  }
}

/** Like `sends`, but inside the nodes' processes, without HTTP. */
async function sendsInside(nodes: readonly Node[]) {
  const question = { senders: Math.ceil(AT_ONCE / nodes.length) }
  const all = await Promise.all(
    nodes.map(({ child }) => {
      child.send(question)
      return answerOf<{ cpu: NodeJS.CpuUsage; count: number }>(child)
    }),
  )
  const count = all.reduce((sum, each) => sum + each.count, 0)
  const cpu = all.reduce((sum, each) => sum + each.cpu.user + each.cpu.system, 0)
  return { perSecond: count / SECONDS, cpu: cpu / count }
}

/**
 * Inserts the rows of a message and its event through the driver alone, in groups of 32. A transaction is two prepared
 * multi-row inserts, and only its commit is awaited. The tables are the server's, with their keys and indexes.
 */
async function floor(url: string): Promise<number> {
  const chat = await openChat({ db: url, passwordCost: 4 })
  await createOrganization(chat, OWNER)
  await chat.close()
  const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(`
    with s as (select min(id) as id from stream), t as (
      insert into topic (stream_id, name, name_key) select id, 'floor', 'floor' from s returning id, stream_id)
    select t.id as topic_id, t.stream_id as conversation_id, (select min(id) from "user") as sender_id from t`)
  const message = { ...MESSAGE, ...rows[0] }
  let id = 1_000_000
  const insert = (table: string, group: Record<string, unknown>[]) => {
    const columns = Object.keys(group[0]!)
    const places = group.map((_, n) => `(${columns.map((_, i) => `$${n * columns.length + i + 1}`).join(', ')})`)
    const text = `insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`
    return client.query({ name: table, text, values: group.flatMap((each) => Object.values(each)) })
  }
  const commitGroup = async () => {
    const ids = Array.from({ length: GROUP }, () => ++id)
    const events = { type: 'message', payload: 'x'.repeat(385), audience: '{"stream":2}', created_at: 4 }
    const messages = ids.map((id) => ({ ...message, id }))
    await Promise.all([
      client.query('begin'),
      insert('message', messages),
      insert(
        'event',
        ids.map((id) => ({ ...events, id })),
      ),
      client.query('commit'),
    ])
  }
  for (let i = 0; i < 20; i++) await commitGroup()
  let groups = 0
  const end = performance.now() + 3000
  for (; performance.now() < end; groups++) await commitGroup()
  await client.end()
  return (groups * GROUP) / 3
}

async function anotherDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create database floor')
  await client.end()
  return Object.assign(new URL(url), { pathname: '/floor' }).href
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  await using database = await startPostgres({ durable: true })
  const rows = await floor(await anotherDatabase(database.url))
  row('the same rows by the driver alone, groups of 32', rows, '/s')
  const file = await startNode(join(folder, 'chat.db'))
  await sends([file], AT_ONCE, [file], 1)
  const inFile = await sendsInside([file])
  const sqlite = await sends([file], AT_ONCE)
  await stop([file])
  row(`SQLite, one process: sends, ${AT_ONCE} at once, in the process`, inFile.perSecond, '/s')
  row('  processor time a send', inFile.cpu, 'µs')
  row(`SQLite, one process: sends, ${AT_ONCE} connections`, sqlite.perSecond, '/s')
  row('  processor time a send', sqlite.cpu, 'µs')
  const nodes: Node[] = []
  for (let size = 1; size <= 3; size++) {
    nodes.push(await startNode(database.url))
    await sends(nodes, AT_ONCE, nodes, 1)
    const inside = await sendsInside(nodes)
    const result = await sends(nodes, AT_ONCE)
    row(`PostgreSQL, ${size} node(s): sends, ${AT_ONCE} at once, in the processes`, inside.perSecond, '/s')
    row('  of the rows by the driver alone (goal: 60 or more)', (100 * inside.perSecond) / rows, '%')
    row('  processor time of the nodes a send', inside.cpu, 'µs')
    row(`PostgreSQL, ${size} node(s): sends, ${AT_ONCE} connections`, result.perSecond, '/s')
    row('  of the rows by the driver alone', (100 * result.perSecond) / rows, '%')
    row('  processor time of the nodes a send', result.cpu, 'µs')
  }
  await stop(nodes)
  await idle(database.url)
  for (let size = 1; size <= 3; size++) await fanOut(database.url, size, nodes[0]!.key)
  rmSync(folder, { recursive: true, force: true })
}

/** One user sends messages that all others receive. */
async function fanOut(url: string, size: number, key: string | undefined): Promise<void> {
  const nodes: Node[] = []
  for (let i = 0; i < size; i++) nodes.push({ ...(await startNode(url)), key })
  for (const node of nodes) await ask(node, { readers: Math.ceil(READERS / size) })
  await delay(2000)
  const count = 5 * SECONDS
  const before = await used(nodes)
  await ask(nodes[0]!, { steady: count })
  const all = count * READERS
  let after = await used(nodes)
  // All nodes are given everything, so that nothing is left over that was paid for.
  for (let i = 0; i < 100 && after.delivered - before.delivered < all; i++) {
    await delay(100)
    after = await used(nodes)
  }
  const delivered = after.delivered - before.delivered
  row(`5 messages a second to ${READERS} readers at ${size} node(s): delivered`, (100 * delivered) / all, '%')
  row('  processor time of the nodes a delivery, without HTTP', (after.cpu - before.cpu) / delivered, 'µs', 25)
  await stop(nodes)
}

/** What nodes cost while nobody uses them. */
async function idle(url: string): Promise<void> {
  const nodes: Node[] = []
  for (let size = 1; size <= 3; size++) {
    nodes.push(await startNode(url))
    await delay(3000)
    const before = await used(nodes)
    await delay(5000)
    const after = await used(nodes)
    row(`${size} idle node(s): processor of each`, (after.cpu - before.cpu) / 5000 / size, 'ms/s', 3)
  }
  await stop(nodes)
}

async function stop(nodes: readonly Node[]): Promise<void> {
  for (const { child } of nodes) {
    child.disconnect()
    await once(child, 'exit')
  }
}
