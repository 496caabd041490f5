/**
 * Exporting an organization of 10,000 people: `npm run bench:export [messages] [people]`. Prints seconds, seconds of processor
 * time of all threads, and the peak of memory of the process that exports, with the longest wait of another write.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { keepHeapSmall } from '../bin/small-heap.ts'
import { exportData } from '../src/admin/commands/database.ts'
import { contextOf } from '../src/core/kernel/context.ts'
import { openChat } from '../src/core/open-chat.ts'
import { millisecondsSince, moment } from './processor-time.ts'
import { row } from './row.ts'

const MIB = 1024 * 1024
const KINDS = ['public', 'full'] as const
const [first = '200000', second = '10000', file, kind] = process.argv.slice(2)

interface Figures {
  seconds: number
  processor: number
  before: number
  peak: number
  log: number
  size: number
  receipts: number
  longest: number
}

/** Runs in a process of its own, so that its peak of memory is the export's. */
async function run(db: string, kind: (typeof KINDS)[number]): Promise<Figures> {
  keepHeapSmall('export')
  const chat = await openChat({ db })
  const before = process.memoryUsage.rss() / MIB
  const began = performance.now()
  const used = process.cpuUsage()
  const target = `${db}.${kind}.tar.gz`
  let done = false
  let log = 0
  let longest = 0
  const writes = (async () => {
    const { write } = contextOf(chat)
    while (!done) {
      const start = moment()
      await write(({ db }) =>
        db
          .updateTable('search_progress')
          .set((eb) => ({ indexed_up_to: eb.ref('indexed_up_to') }))
          .execute(),
      )
      longest = Math.max(longest, millisecondsSince(start))
      log = Math.max(log, statSync(`${db}-wal`).size / MIB)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const { stats } = await exportData.run(chat, { file: target, kind }, () => {})
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(used)
  done = true
  await writes
  const receipts = Object.values(stats).reduce<number>(
    (sum, counts) => sum + (typeof counts === 'number' ? 0 : (counts.zerver_usermessage ?? 0)),
    0,
  )
  const size = statSync(target).size / MIB
  await chat.close()
  const peak = process.resourceUsage().maxRSS / 1024
  return { seconds, processor: (user + system) / 1_000_000, before, peak, log, size, receipts, longest }
}

if (file !== undefined) {
  console.log(JSON.stringify(await run(file, kind as (typeof KINDS)[number])))
} else {
  // Not in the process that exports, whose memory is measured.
  const { seed } = await import('./seed.ts')
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-export-'))
  try {
    const db = join(folder, 'bench.db')
    // Each message reaches 100 people.
    await seed(db, Number(first), Number(second), { streamCount: 1000, streamsPerUser: 10 })
    for (const kind of KINDS) {
      const own = [...process.execArgv, fileURLToPath(import.meta.url), first, second, db, kind]
      const figures = JSON.parse(
        execFileSync(process.execPath, own, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
      ) as Figures
      console.log(`${kind}: ${first} messages, ${figures.receipts} receipts, ${figures.size.toFixed(0)} MiB`)
      row('  Time', figures.seconds, 's', kind === 'public' ? 20 : undefined)
      row('  Processor time of all threads', figures.processor, 's')
      row('  Memory at the beginning', figures.before, 'MiB')
      row('  Peak of memory', figures.peak, 'MiB', 200)
      row('  Largest log', figures.log, 'MiB', 64)
      row('  Longest wait of a write', figures.longest, 'ms', 50)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
