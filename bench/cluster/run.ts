/**
 * Sends and deliveries with one, two and three nodes on one PostgreSQL, beside one node on SQLite, and beside the same rows
 * inserted by the driver alone. `npm run bench:cluster`
 *
 * The database server comes from npm, waits for the disk, and shares the machine with the nodes and the load. Sends are
 * measured inside the nodes' processes, as an embedder calls them, and over HTTP. All of them take turns, and a ratio
 * compares two figures of one turn, because the machine changes from one to the next. Deliveries are measured at a
 * steady rate that the nodes keep up with.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../../test/postgres/server.ts'
import { circumstances } from '../circumstances.ts'
import { formPost, run } from '../load.ts'
import { row, spread } from '../row.ts'
import { type DatabaseTime, databaseTime } from './database-time.ts'
import { CONTENT, type Question, serveNode } from './node.ts'
import { anotherDatabase, insertRows, type RowInserts } from './rows.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const TURNS = Number(process.env.BENCH_TURNS ?? 5)
const READERS = Number(process.env.BENCH_READERS ?? 2000)
const AT_ONCE = 64

const [, , part, address] = process.argv
if (part === 'node') await serveNode(address!)
else await measure()

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
  const question = { senders: Math.ceil(AT_ONCE / nodes.length), seconds: SECONDS }
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

type Sends = Pick<Awaited<ReturnType<typeof sendsInside>>, 'perSecond' | 'cpu'> & {
  /** Microseconds of the database's processor time a send. */
  readonly databaseCpu?: number
}

/** Adds the processor time that a database of the server uses while it sends. */
async function withDatabase(time: DatabaseTime, database: string, send: () => Promise<Sends>): Promise<Sends> {
  const before = await time.of(database)
  const sent = await send()
  return { ...sent, databaseCpu: ((await time.of(database)) - before) / (sent.perSecond * SECONDS) }
}

/** Inserts rows by the driver alone, in this process. */
async function insertsOf(floor: RowInserts): Promise<Sends> {
  const before = process.cpuUsage()
  const perSecond = await floor.perSecond(SECONDS)
  const { user, system } = process.cpuUsage(before)
  return { perSecond, cpu: (user + system) / (perSecond * SECONDS) }
}

function reportSends(name: string, all: readonly Sends[], rows?: readonly Sends[], goal?: number): void {
  spread(
    `${name}: a second`,
    all.map(({ perSecond }) => perSecond),
    '/s',
  )
  const ratios = all.map(({ perSecond }, turn) => perSecond / (rows?.[turn]?.perSecond ?? perSecond))
  if (rows) spread('  relative to the rows by the driver alone', ratios, '', { least: goal, digits: 2 })
  reportTimes('  processor time of the nodes a send', all)
}

function reportTimes(name: string, all: readonly Sends[]): void {
  spread(
    name,
    all.map(({ cpu }) => cpu),
    'µs',
  )
  const ofDatabase = all.flatMap(({ databaseCpu }) => databaseCpu ?? [])
  if (ofDatabase.length > 0) spread('  and of the database', ofDatabase, 'µs')
}

async function measure(): Promise<void> {
  console.log(circumstances())
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  await using database = await startPostgres({ durable: true })
  const floor = await insertRows(await anotherDatabase(database.url, 'floor'))
  const time = await databaseTime(database.url)
  const file = await startNode(join(folder, 'chat.db'))
  await sends([file], AT_ONCE, [file], 1)
  const nodes: Node[] = []
  console.log(`Median (range) of ${TURNS} turns of ${SECONDS} s, with ${AT_ONCE} sends at a time`)
  for (let size = 1; size <= 3; size++) {
    nodes.push(await startNode(database.url))
    await sends(nodes, AT_ONCE, nodes, 1)
    const rows: Sends[] = []
    const found = { inFile: [] as Sends[], file: [] as Sends[], inside: [] as Sends[], http: [] as Sends[] }
    for (let turn = 0; turn < TURNS; turn++) {
      rows.push(await withDatabase(time, 'floor', () => insertsOf(floor)))
      found.inside.push(await withDatabase(time, 'postgres', () => sendsInside(nodes)))
      found.http.push(await withDatabase(time, 'postgres', () => sends(nodes, AT_ONCE)))
      if (size > 1) continue
      found.inFile.push(await sendsInside([file]))
      found.file.push(await sends([file], AT_ONCE))
    }
    if (size === 1) {
      reportSends('SQLite, one process, in the process', found.inFile)
      reportSends('SQLite, one process, over HTTP', found.file)
    }
    spread(
      'the same rows by the driver alone, groups of 32: a second',
      rows.map(({ perSecond }) => perSecond),
      '/s',
    )
    reportTimes('  processor time of the driver a row', rows)
    reportSends(`PostgreSQL, ${size} node(s), in the processes`, found.inside, rows, 0.7)
    reportSends(`PostgreSQL, ${size} node(s), over HTTP`, found.http, rows)
  }
  await stop([file, ...nodes])
  await floor.close()
  await time.close()
  // Another database, since the nodes of this one still add all those messages to the search index.
  await idle(await anotherDatabase(database.url, 'idle'))
  for (let size = 1; size <= 3; size++) await fanOut(database.url, size, nodes[0]!.key)
  rmSync(folder, { recursive: true, force: true })
  console.log(circumstances())
}

/** One user sends messages that all others receive. */
async function fanOut(url: string, size: number, key: string | undefined): Promise<void> {
  const nodes: Node[] = []
  for (let i = 0; i < size; i++) nodes.push({ ...(await startNode(url)), key })
  for (const node of nodes) await ask(node, { readers: Math.ceil(READERS / size) })
  await delay(2000)
  const turns: Delivered[] = []
  for (let turn = 0; turn < TURNS; turn++) turns.push(await deliverSteadily(nodes))
  spread(
    `5 messages a second to ${READERS} readers at ${size} node(s): delivered`,
    turns.map(({ share }) => 100 * share),
    '%',
  )
  spread(
    '  processor time of the nodes a delivery, without HTTP',
    turns.map(({ cost }) => cost),
    'µs',
    { most: 25, digits: 1 },
  )
  await stop(nodes)
}

interface Delivered {
  /** Of all deliveries, how many were made. */
  share: number
  /** Microseconds of processor time a delivery, of all nodes. */
  cost: number
}

async function deliverSteadily(nodes: readonly Node[]): Promise<Delivered> {
  const count = 5 * SECONDS
  const before = await used(nodes)
  await ask(nodes[0]!, { steady: count })
  const all = count * READERS
  let after = await used(nodes)
  // Everything is delivered before the next turn, so that each pays for its own deliveries.
  for (let i = 0; i < 100 && after.delivered - before.delivered < all; i++) {
    await delay(100)
    after = await used(nodes)
  }
  const delivered = after.delivered - before.delivered
  return { share: delivered / all, cost: (after.cpu - before.cpu) / delivered }
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
