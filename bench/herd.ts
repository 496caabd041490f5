/**
 * Clients that start: `npm run bench:herd`. The cost of one register among 10,000 users and 1,000 streams, and how
 * long 500 simultaneous ones, as after a restart, delay other requests. Over HTTP, on a file, in milliseconds of the
 * server's processor.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { actAs } from '../src/core/accounts/act-as.ts'
import { issueKey } from '../src/core/accounts/keys.ts'
import type { Caller } from '../src/core/kernel/context.ts'
import { openChat } from '../src/core/open-chat.ts'
import { createChatServer } from '../src/http/index.ts'
import { type Person, world } from '../src/testing/world.ts'
import { formPost } from './load.ts'
import { longestBlock } from './longest-block.ts'
import { median } from './median.ts'
import { row } from './row.ts'
import { longestWait, smallWrite } from './stalls/prober.ts'
import { idsOf, seedStreams, seedSubscriptions, seedUsers } from './stalls/seeds.ts'

const MIB = 1024 * 1024
/** Each may have 100 queues, and two herds of 500 come. */
const ACCOUNTS = 20
const ROUNDS = 5
/** The end of an answer in chunks. */
const LAST_CHUNK = '\r\n0\r\n\r\n'
/** The server after the restart needs the same secret. */
const secret = new Uint8Array(32).fill(7)
const share = Number(process.argv.at(-1) ?? 1) || 1

interface Account {
  id: number
  email: string
  key: string
}
interface Seeded {
  accounts: Account[]
  administrator: Account
  /** Sends while others register. */
  prober: number
  /** The user and the stream that are changed. */
  user_id: number
  stream_id: number
}
interface Cost {
  /** Milliseconds of the processor. */
  used: number
  block: number
  wait: number
  /** Peak memory of the process, in bytes. */
  memory: number
}
/** Probing uses all spare processor time, so the cost of the work itself is measured separately. */
type Order = 'watch' | 'probe' | 'stop'

async function seed(db: string): Promise<void> {
  await using w = await world({ chat: { db, secret, checkContract: false } })
  const { iago, cordelia } = w.people
  const ids = await seedUsers(w, Math.round(10_000 * share))
  const streams = await seedStreams(w, Math.round(1000 * share))
  const some = ids.slice(0, ACCOUNTS)
  await seedSubscriptions(w, some, idsOf(streams))
  const accounts: Account[] = []
  for (const id of some) {
    const { user } = await actAs(w.chat, { user_id: id })
    accounts.push({ id, email: user.email, key: await iago.write((tx) => issueKey(tx, id)) })
  }
  const administrator = accountOf(iago)
  const [user_id, stream_id] = [ids.at(-1)!, streams[0]!.id]
  process.send?.({ accounts, administrator, prober: cordelia.id, user_id, stream_id } satisfies Seeded)
  process.disconnect()
}

const accountOf = ({ id, email, key }: Person): Account => ({ id, email, key })

/** The server after a restart, in a process that has not seeded. */
async function serveCrowd(db: string, prober: number): Promise<void> {
  const chat = await openChat({ db, secret })
  const server = await createChatServer({ chat, port: 0, rateLimit: false })
  const caller = await actAs(chat, { user_id: prober })
  let stop: (() => Promise<Cost>) | undefined
  const obey = async (order: Order) => {
    if (order !== 'stop') stop = watch(caller, order === 'probe')
    process.send?.(order === 'stop' ? await stop!() : {})
  }
  process.on('disconnect', () => process.exit())
  process.on('message', (order: Order) => void obey(order))
  process.send?.(server.port)
}

/** Watches this process until it is called. */
function watch(prober: Caller, probe: boolean): () => Promise<Cost> {
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
  const waits = probe ? longestWait([smallWrite(prober)], () => over) : undefined
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
    /** The end of what has come, since the last chunk may arrive in two pieces. */
    let tail = ''
    let missing = Number.POSITIVE_INFINITY
    socket.once('error', reject)
    socket.on('data', (chunk: Buffer) => {
      missing -= chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-LAST_CHUNK.length)
      if (missing === Number.POSITIVE_INFINITY) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head.slice(0, 300)))
        const length = /content-length: (\d+)/i.exec(head)?.[1]
        if (length) missing = Number(length) - (head.length - end - 4)
      }
      if (missing > 0 && !(missing === Number.POSITIVE_INFINITY && tail === LAST_CHUNK)) return
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

const authorization = ({ email, key }: Account) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  const start = (...args: (string | number)[]) =>
    fork(fileURLToPath(import.meta.url), [...args.map(String), join(folder, 'chat.db'), String(share)], {
      execArgv: [...process.execArgv, '--expose-gc'],
    })
  const seeding = start('seed')
  const { accounts, administrator, prober, user_id, stream_id } = await ask<Seeded>(seeding)
  if (seeding.exitCode === null) await once(seeding, 'exit')
  const register = (port: number, i: number, more = '') => {
    const request = formPost('/api/v1/register', {}, authorization(accounts[i % accounts.length]!))
    return exchange(port, request.replace('\r\n', `\r\n${more}`))
  }
  const costOf = async (child: ChildProcess, order: Order, work: () => Promise<unknown>): Promise<Cost> => {
    await ask(child, order)
    await work()
    return ask<Cost>(child, 'stop')
  }
  /** Measured first, with nothing compiled or cached, as after a restart. */
  const measureHerd = async (child: ChildProcess, port: number, title: string, more?: string): Promise<void> => {
    const count = Math.round(500 * share)
    const before = await costOf(child, 'watch', async () => {})
    const all = () => Promise.all(Array.from({ length: count }, (_, i) => register(port, i, more)))
    const herd = await costOf(child, 'probe', all)
    row(`${count} clients registering together${title}: others wait`, herd.wait, 'ms', 100)
    row('… processor for each', herd.used / count, 'ms')
    row('… memory of the server, at most', herd.memory / MIB, 'MiB', 250)
    row('… of which it had before', before.memory / MIB, 'MiB')
  }
  const compressing = start('serve', prober)
  await measureHerd(compressing, await ask<number>(compressing), ', compressed', 'Accept-Encoding: zstd\r\n')
  compressing.disconnect()
  await once(compressing, 'exit')
  const child = start('serve', prober)
  try {
    const port = await ask<number>(child)
    const change = async () => {
      const changes = [
        [`users/${user_id}`, 'full_name'],
        [`streams/${stream_id}`, 'description'],
      ] as const
      for (const [path, name] of changes) {
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
          method: 'PATCH',
          headers: { authorization: authorization(administrator) },
          body: new URLSearchParams({ [name]: `changed ${performance.now()}` }),
        })
        if (!answer.ok) throw new Error(await answer.text())
      }
    }
    await measureHerd(child, port, '')
    for (const [title, prepare] of [
      ['a register after a user and a stream were changed', change],
      ['a register', async () => {}],
    ] as const) {
      const found: Record<'watch' | 'probe', Cost[]> = { watch: [], probe: [] }
      for (let round = 0; round < ROUNDS; round++) {
        for (const order of ['watch', 'probe'] as const) {
          await prepare()
          found[order].push(await costOf(child, order, () => register(port, round)))
        }
      }
      row(`${title}: processor`, median(found.watch.map((cost) => cost.used)), 'ms', 100)
      row('… longest block', median(found.probe.map((cost) => cost.block)), 'ms', 50)
    }
  } finally {
    child.disconnect()
    await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

const [, , part, ...rest] = process.argv
if (part === 'seed') await seed(rest[0]!)
else if (part === 'serve') await serveCrowd(rest[1]!, Number(rest[0]))
else await measure()
