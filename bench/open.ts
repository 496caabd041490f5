/**
 * What an open organization costs an application that embeds it: `npm run bench:open`. Thirty are opened, without
 * readers, each with 2,000 messages and their events. They were closed properly before: the first start of a copied file
 * also makes a secret and checks the file.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { indexerOf } from '../src/core/narrow/search/indexer.ts'
import { openChat } from '../src/core/open-chat.ts'
import { world } from '../src/testing/world.ts'
import { row } from './row.ts'

const COUNT = 30
const MESSAGES = 2000
const MAX_OPEN_MS = 100
const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
const template = join(folder, 'template.db')
try {
  {
    await using w = await world({ chat: { db: template, checkContract: false } })
    for (let i = 0; i < MESSAGES; i++) await w.people.iago.says(`The quick brown fox jumps over the lazy dog, ${i}.`)
    await indexerOf(w.chat).catchUp(w.people.iago)
  }
  const open = (i: number) => openChat({ db: join(folder, `${i}.db`) })
  for (let i = 0; i < COUNT + 2; i++) {
    copyFileSync(template, join(folder, `${i}.db`))
    await (await open(i)).close()
  }
  // Compiles what the others share.
  const chats = [await open(0), await open(1)]
  globalThis.gc?.()
  const before = { memory: process.memoryUsage(), cpu: process.cpuUsage() }
  for (let i = 2; i < COUNT + 2; i++) chats.push(await open(i))
  const { user, system } = process.cpuUsage(before.cpu)
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  row('an open organization without readers: resident', (rss - before.memory.rss) / COUNT / 1024, 'KiB', 640)
  row('… of the heap', (heapUsed - before.memory.heapUsed) / COUNT / 1024, 'KiB', 50)
  // Twenty times its goal, not three: syncs to the disk take most of it.
  row('… processor to open it', (user + system) / 1000 / COUNT, 'ms', 5, MAX_OPEN_MS)
  for (const chat of chats) await chat.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
