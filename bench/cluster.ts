/**
 * Sends and deliveries with one, two and three nodes on one PostgreSQL, beside one node on SQLite, and beside the same rows
 * inserted by the driver alone. `npm run bench:cluster`
 *
 * The database server comes from npm, waits for the disk, and shares the machine with the nodes and the load.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createOrganization, hasOrganization } from '../src/core/accounts/create-organization.ts'
import { openChat } from '../src/core/open-chat.ts'
import { createChatServer } from '../src/http/index.ts'
import { actAs, type Caller, createUser, getEvents, register } from '../src/index.ts'
import { startPostgres } from '../test/postgres/server.ts'
import { formPost, run } from './load.ts'
import { row } from './row.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
const READERS = Number(process.env.BENCH_READERS ?? 2000)
const CONTENT = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'
const GROUP = 32
const OWNER = { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga', owner_password: 'correct horse' }

const [, , part, address] = process.argv
if (part === 'node') await serveNode(address!)
else await measure()

type Question = { readers: number } | 'cpu'

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
  async function answer(question: Question): Promise<void> {
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
        read(caller).catch(() => {})
      }
    }
    process.send?.({ cpu: process.cpuUsage(), delivered })
  }
  process.on('message', (question: Question) => void answer(question))
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
    child.once('message', (message) => resolve(message as T))
    child.once('exit', (code) => reject(new Error(`a node ended with ${code}`)))
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

async function sends(nodes: readonly Node[], connections: number, seconds = SECONDS) {
  const authorization = `Basic ${Buffer.from(`o@example.com:${nodes[0]!.key}`).toString('base64')}`
  const text = formPost(
    '/api/v1/messages',
    { type: 'stream', to: 'general', topic: 'bench', content: CONTENT },
    authorization,
  )
  const before = await used(nodes)
  const loads = nodes.map(({ port }) =>
    run({ port, connections: Math.ceil(connections / nodes.length), request: () => text, seconds }),
  )
  const results = await Promise.all(loads)
  const after = await used(nodes)
  const count = results.reduce((sum, result) => sum + result.count, 0)
  return {
    perSecond: count / seconds,
    count,
    cpu: (after.cpu - before.cpu) / count,
    delivered: after.delivered - before.delivered,
    used: after.cpu - before.cpu,
  }
}

/** The rows of a message and its event, by the driver alone: groups of 32 in a transaction, each waited for. */
async function floor(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig)
  await client.connect()
  await client.query(`
    create temp table m (id bigint generated by default as identity primary key, sender_id bigint, content text, rendered text, sent_at bigint);
    create temp table e (id bigint primary key, type text, payload text, audience text, created_at bigint)`)
  let count = 0
  const end = performance.now() + 3000
  while (performance.now() < end) {
    const group = [client.query('begin')]
    for (let i = 0; i < GROUP; i++) {
      count++
      group.push(
        client.query({
          name: 'm',
          text: 'insert into m (sender_id, content, rendered, sent_at) values ($1, $2, $3, $4) returning id',
          values: [1, CONTENT, `<p>${CONTENT}</p>`, 4],
        }),
        client.query({
          name: 'e',
          text: 'insert into e values ($1, $2, $3, $4, $5)',
          values: [count, 'message', 'x'.repeat(385), '{"stream":2}', 4],
        }),
      )
    }
    group.push(client.query('commit'))
    await Promise.all(group)
  }
  await client.end()
  return count / 3
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  await using database = await startPostgres({ durable: true })
  const rows = await floor(database.url)
  row('the same rows by the driver alone, groups of 32', rows, '/s')
  const file = await startNode(join(folder, 'chat.db'))
  await sends([file], 64, 1)
  const sqlite = await sends([file], 64)
  file.child.kill()
  row('SQLite, one process: sends, 64 connections', sqlite.perSecond, '/s')
  const nodes: Node[] = []
  for (let size = 1; size <= 3; size++) {
    nodes.push(await startNode(database.url))
    await sends(nodes, 64, 1)
    const result = await sends(nodes, 64)
    row(`PostgreSQL, ${size} node(s): sends, 64 connections`, result.perSecond, '/s')
    row(`  as a part of the rows by the driver alone (goal 0.6)`, result.perSecond / rows, '')
    row(`  processor time of the nodes a send`, result.cpu, 'µs')
  }
  for (const node of nodes) await ask(node, { readers: Math.ceil(READERS / nodes.length) })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const fanned = await sends(nodes, 1)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  row(`one sender, ${READERS} readers at 3 nodes: messages`, fanned.perSecond, '/s')
  row('  deliveries', fanned.delivered / SECONDS, '/s')
  row('  processor time of the nodes a delivery, without HTTP', fanned.used / Math.max(1, fanned.delivered), 'µs')
  for (const node of nodes) node.child.kill()
  rmSync(folder, { recursive: true, force: true })
}
