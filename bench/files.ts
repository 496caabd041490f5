/**
 * Memory of the server and the longest block of its event loop during an upload and a download of 25 MiB over HTTP:
 * `npm run bench:files`.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOrganization } from '../src/core/accounts/create-organization.ts'
import { openChat } from '../src/core/open-chat.ts'
import { createChatServer } from '../src/http/index.ts'
import { longestBlock } from './longest-block.ts'
import { median } from './median.ts'
import { row } from './row.ts'

const MIB = 1024 * 1024
const SIZE = 25 * MIB
const ROUNDS = 5
/** Rounds until SQLite's page cache (64 MiB) is full and all code is loaded and compiled. */
const WARMING = 4
const AT_ONCE = 10

interface Ready {
  port: number
  key: string
}
interface Cost {
  /** Milliseconds. */
  block: number
  /** Peak memory above the level before the operation, in bytes. */
  memory: number
  /** The part of `memory` in buffers that are not collected yet. */
  buffers: number
}

async function serveFiles(db: string) {
  const chat = await openChat({ db, passwordCost: 4 })
  const owner = await createOrganization(chat, { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga' })
  const server = await createChatServer({ chat, port: 0, rateLimit: false })
  let stop: (() => Cost) | undefined
  process.on('disconnect', () => process.exit())
  process.on('message', () => {
    if (stop) process.send?.(stop())
    else process.send?.({})
    stop = stop ? undefined : watch()
  })
  process.send?.({ port: server.port, key: owner.api_key } satisfies Ready)
}

/** Watches this process until it is called. */
function watch(): () => Cost {
  globalThis.gc?.()
  const before = process.memoryUsage()
  let memory = 0
  let buffers = 0
  const blocks = longestBlock()
  const timer = setInterval(() => {
    const { rss, arrayBuffers } = process.memoryUsage()
    memory = Math.max(memory, rss - before.rss)
    buffers = Math.max(buffers, arrayBuffers - before.arrayBuffers)
  }, 2)
  return () => {
    clearInterval(timer)
    return { block: blocks(), memory, buffers }
  }
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  const file = fileURLToPath(import.meta.url)
  const child = fork(file, ['serve', join(folder, 'chat.db')], { execArgv: [...process.execArgv, '--expose-gc'] })
  try {
    const { port, key } = await answerOf<Ready>(child)
    const site = `http://127.0.0.1:${port}`
    const headers = { authorization: `Basic ${Buffer.from(`o@example.com:${key}`).toString('base64')}` }
    const upload = async () => {
      const body = new FormData()
      body.set('filename', new Blob([new Uint8Array(SIZE)]), 'large.bin')
      const answer = await fetch(`${site}/api/v1/user_uploads`, { method: 'POST', headers, body })
      const { url, msg } = (await answer.json()) as { url: string; msg: string }
      if (!answer.ok) throw new Error(msg)
      return url
    }
    const download = async (url: string) => {
      const answer = await fetch(`${site}${url}`, { headers })
      let bytes = 0
      for await (const chunk of answer.body!) bytes += chunk.length
      if (bytes !== SIZE) throw new Error(`${bytes} bytes came, with status ${answer.status}`)
    }
    const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
      await ask(child)
      await work()
      return ask<Cost>(child)
    }
    for (let round = 0; round < WARMING; round++) await download(await upload())
    const upOnce = 'upload of 25 MiB'
    const downOnce = 'download of 25 MiB'
    const downAtOnce = `${AT_ONCE} downloads at once`
    const costs: Record<string, Cost[]> = { [upOnce]: [], [downOnce]: [], [downAtOnce]: [] }
    for (let round = 0; round < ROUNDS; round++) {
      let url = ''
      costs[upOnce]!.push(
        await costOf(async () => {
          url = await upload()
        }),
      )
      costs[downOnce]!.push(await costOf(() => download(url)))
    }
    const url = await upload()
    const all = () => Promise.all(Array.from({ length: AT_ONCE }, () => download(url)))
    for (let round = 0; round < ROUNDS; round++) costs[downAtOnce]!.push(await costOf(all))
    for (const [name, found] of Object.entries(costs)) {
      row(`${name}: memory`, median(found.map((cost) => cost.memory)) / MIB, 'MiB', 8)
      // V8 decides when to collect the chunks that node:http reads, so this has no goal.
      const goal = name === upOnce ? undefined : 8
      const buffers = median(found.map((cost) => cost.buffers)) / MIB
      row('… buffers, also those that wait to be collected', buffers, 'MiB', goal)
      row('… longest block', median(found.map((cost) => cost.block)), 'ms', 20)
    }
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

const answerOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })

function ask<T>(child: ChildProcess): Promise<T> {
  const answer = answerOf<T>(child)
  child.send('next')
  return answer
}

if (process.argv[2] === 'serve') await serveFiles(process.argv[3]!)
else await measure()
