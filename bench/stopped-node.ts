/**
 * How long a node that stops without ending (SIGSTOP) makes others wait: `npm run bench:stopped-node [stops]`
 *
 * Three nodes on one PostgreSQL send all the time. One after another is stopped for some seconds, in most cases while it
 * holds the lock of all writes, and then resumes.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createOrganization, hasOrganization } from '../src/core/accounts/create-organization.ts'
import { openChat } from '../src/core/open-chat.ts'
import { actAs, sendMessage } from '../src/index.ts'
import { startPostgres } from '../test/postgres/server.ts'
import { row } from './row.ts'

const NODES = 3
const STOP_MS = 3500
const REST_MS = 700
const GOAL_MS = 2000

const [, , first = '9', address] = process.argv
if (first === 'node') await sendForever(address!)
else await measure(Number(first))

/** Sends one message after another, and reports each that was stored. */
async function sendForever(db: string): Promise<void> {
  const chat = await openChat({ db, passwordCost: 4 })
  if (!(await hasOrganization(chat))) {
    await createOrganization(chat, { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga' })
  }
  const caller = await actAs(chat, { email: 'o@example.com' })
  process.on('disconnect', () => process.exit())
  for (;;) {
    const sent = sendMessage(caller, { type: 'stream', to: 'general', topic: 'bench', content: 'A message' })
    // The connection of a stopped node was ended.
    const stored = await sent.then(
      () => true,
      () => false,
    )
    if (stored) process.send?.('stored')
    else await delay(10)
  }
}

interface Node {
  child: ChildProcess
  /** When its last message was stored. */
  last: number
  /** The longest time between two of its messages since it was reset. */
  longest: number
}

async function startNode(db: string): Promise<Node> {
  const child = fork(fileURLToPath(import.meta.url), ['node', db], { execArgv: process.execArgv })
  const node: Node = { child, last: 0, longest: 0 }
  child.on('message', () => {
    const now = performance.now()
    node.longest = Math.max(node.longest, now - node.last)
    node.last = now
  })
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`a node ended with ${code}`)
  })
  await Promise.race([once(child, 'message'), failed])
  failed.catch(() => {})
  return node
}

async function measure(stops: number): Promise<void> {
  await using database = await startPostgres({ durable: true })
  const nodes: Node[] = []
  try {
    for (let i = 0; i < NODES; i++) nodes.push(await startNode(database.url))
    await delay(REST_MS)
    const waits: number[] = []
    for (let i = 0; i < stops; i++) {
      const stopped = nodes[i % NODES]!
      const others = nodes.filter((node) => node !== stopped)
      for (const node of others) node.longest = 0
      stopped.child.kill('SIGSTOP')
      await delay(STOP_MS)
      const now = performance.now()
      waits.push(...others.map(({ longest, last }) => Math.max(longest, now - last)))
      stopped.child.kill('SIGCONT')
      await delay(REST_MS)
    }
    waits.sort((a, b) => a - b)
    row(`others send while one of ${NODES} nodes is stopped: median wait`, waits[waits.length >> 1]!, 'ms')
    row(`… longest of ${waits.length}`, waits.at(-1)!, 'ms', GOAL_MS)
  } finally {
    for (const { child } of nodes) child.kill('SIGKILL')
  }
}
