/**
 * Clients that start: `npm run bench:herd`. What one register costs among 10,000 users and 1,000 streams, and what 500 at once,
 * as after a restart, cost the others, over HTTP. Milliseconds of the server's processor, on a file.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { actAs } from '../src/core/accounts/act-as.ts'
import { issueKey } from '../src/core/accounts/keys.ts'
import { createChatServer } from '../src/http/index.ts'
import { type World, world } from '../src/testing/world.ts'
import { formPost } from './load.ts'
import { longestBlock } from './longest-block.ts'
import { row } from './row.ts'
import { longestWait } from './stalls/prober.ts'
import { idsOf, seedStreams, seedSubscriptions, seedUsers } from './stalls/seeds.ts'

const MIB = 1024 * 1024
const ACCOUNTS = 10
const ROUNDS = 5
const share = Number(process.argv.at(-1) ?? 1) || 1

interface Ready {
  port: number
  keys: { email: string; key: string }[]
}
interface Cost {
  /** Milliseconds of the processor. */
  used: number
  block: number
  wait: number
  /** Bytes of memory that the process had at most. */
  memory: number
}
/** Probing takes all of the processor that is left: what the work itself takes is measured apart. */
type Order = 'watch' | 'probe' | 'stop' | 'change'

async function serveCrowd(db: string): Promise<void> {
  const w = await world({ chat: { db, checkContract: false } })
  const ids = await seedUsers(w, Math.round(10_000 * share))
  const streams = await seedStreams(w, Math.round(1000 * share))
  const some = ids.slice(0, ACCOUNTS)
  await seedSubscriptions(w, some, idsOf(streams))
  const keys: Ready['keys'] = []
  for (const user_id of some) {
    const { user } = await actAs(w.chat, { user_id })
    keys.push({ email: user.email, key: await w.people.iago.write((tx) => issueKey(tx, user_id)) })
  }
  const server = await createChatServer({ chat: w.chat, port: 0, rateLimit: false })
  let stop: (() => Promise<Cost>) | undefined
  const change = async () => {
    await w.people.iago.api.patch(`/users/${ids.at(-1)}`, { full_name: 'Changed' })
    await w.people.iago.api.patch(`/streams/${streams[0]!.id}`, { description: String(performance.now()) })
  }
  const obey = async (order: Order) => {
    if (order === 'change') await change()
    else if (order !== 'stop') stop = watch(w, order === 'probe')
    process.send?.(order === 'stop' ? await stop!() : {})
  }
  process.on('disconnect', () => process.exit())
  process.on('message', (order: Order) => void obey(order))
  process.send?.({ port: server.port, keys } satisfies Ready)
}

/** Watches this process until it is called. */
function watch(w: World, probe: boolean): () => Promise<Cost> {
  globalThis.gc?.()
  const cpu = process.cpuUsage()
  let memory = process.memoryUsage.rss()
  const timer = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage.rss())
  }, 5)
  const block = probe ? longestBlock() : () => 0
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const waits = probe ? longestWait(w.people.cordelia, () => over) : undefined
  return async () => {
    const { user, system } = process.cpuUsage(cpu)
    end()
    clearInterval(timer)
    return { used: (user + system) / 1000, block: block(), wait: (await waits)?.longest ?? 0, memory }
  }
}

/** Sends one request on a connection of its own, and resolves when all of the answer has come. */
const exchange = (port: number, request: string) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let head = ''
    let missing = Number.POSITIVE_INFINITY
    socket.once('error', reject)
    socket.on('data', (chunk: Buffer) => {
      missing -= chunk.length
      if (missing === Number.POSITIVE_INFINITY) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head.slice(0, 300)))
        missing = Number(/content-length: (\d+)/i.exec(head)![1]) - (head.length - end - 4)
      }
      if (missing > 0) return
      socket.destroy()
      resolve()
    })
  })

function ask<T>(child: ChildProcess, order?: Order): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
    if (order) child.send(order)
  })
}

const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  const execArgv = [...process.execArgv, '--expose-gc']
  const child = fork(fileURLToPath(import.meta.url), ['serve', join(folder, 'chat.db'), String(share)], { execArgv })
  try {
    const { port, keys } = await ask<Ready>(child)
    const requests = keys.map(({ email, key }) =>
      formPost('/api/v1/register', {}, `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`),
    )
    const register = (i: number) => exchange(port, requests[i % requests.length]!)
    const costOf = async (order: Order, work: () => Promise<unknown>): Promise<Cost> => {
      await ask(child, order)
      await work()
      return ask<Cost>(child, 'stop')
    }
    const count = Math.round(500 * share)
    // First of all: nothing is compiled or kept yet, as after a restart.
    const herd = await costOf('probe', () => Promise.all(Array.from({ length: count }, (_, i) => register(i))))
    row(`${count} clients registering at once: others wait`, herd.wait, 'ms', 100)
    row('… memory of the server, at most', herd.memory / MIB, 'MiB', 250)
    for (const [title, prepare] of [
      ['a register after a user and a stream were changed', () => ask(child, 'change')],
      ['a register', async () => {}],
    ] as const) {
      const found: Record<'watch' | 'probe', Cost[]> = { watch: [], probe: [] }
      for (let round = 0; round < ROUNDS; round++) {
        for (const order of ['watch', 'probe'] as const) {
          await prepare()
          found[order].push(await costOf(order, () => register(round)))
        }
      }
      row(`${title}: processor`, middle(found.watch.map((cost) => cost.used)), 'ms', 100)
      row('… longest block', middle(found.probe.map((cost) => cost.block)), 'ms', 50)
    }
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[2] === 'serve') await serveCrowd(process.argv[3]!)
else await measure()
