/**
 * Importing a generated Slack export, beside the same rows inserted by the driver alone: `npm run bench:import [messages]`.
 * Prints messages for each second of processor time, and the peak of memory.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { keepHeapSmall } from '../bin/small-heap.ts'
import { COMMAND_CACHE_MIB } from '../src/admin/run-on.ts'
import { createOrganization } from '../src/core/accounts/create-organization.ts'
import { openChat } from '../src/core/open-chat.ts'
import { importArchive } from '../src/core/organization/imports/run.ts'
import { piecesOf } from '../src/storage/index.ts'
import { millisecondsSince, moment } from './processor-time.ts'
import { row } from './row.ts'
import { randomFrom, vocabulary } from './words.ts'

const USERS = 500
const CHANNELS = 300
const DAY = 86_400
const DAYS = 3650
const BEGIN = 1_400_000_000
const MIB = 1024 * 1024
const messages = Number(process.argv[2] ?? 100_000)

/** Ten years of 300 channels; a message in twenty begins a thread or answers in one. */
function writeExport(folder: string): void {
  const random = randomFrom(11)
  const pick = (count: number): number => Math.floor(random() * count)
  const words = vocabulary(random, 20_000)
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value))
  const users = Array.from({ length: USERS }, (_, i) => `U${i}`)
  write(
    'users.json',
    users.map((id, i) => ({
      id,
      name: `user${i}`,
      profile: { real_name: `User ${i}`, email: `user${i}@example.com` },
    })),
  )
  const channels = Array.from({ length: CHANNELS }, (_, i) => ({
    id: `C${i}`,
    name: `channel-${i}`,
    members: users.filter((_, u) => (u + i) % 10 === 0),
  }))
  write('channels.json', channels)
  for (const { name } of channels) mkdirSync(join(folder, name))
  const perDay = messages / DAYS
  let written = 0
  let thread: string | undefined
  for (let day = 0; day < DAYS; day++) {
    const files = new Map<string, object[]>()
    const most = Math.round((day + 1) * perDay)
    // A few channels are busy on each day.
    const busy = [pick(CHANNELS), pick(CHANNELS), pick(CHANNELS)]
    for (; written < most; written++) {
      const ts = `${BEGIN + day * DAY + Math.floor(((written % perDay) / perDay) * DAY)}.${String(written % 1_000_000).padStart(6, '0')}`
      const { name } = channels[busy[pick(3)]!]!
      const text = Array.from(
        { length: 4 + Math.floor(random() ** 2 * 40) },
        () => words[Math.floor(words.length * random() ** 3)]!,
      ).join(' ')
      const isRoot = random() < 0.05
      if (isRoot) thread = ts
      const inThread = isRoot || (thread !== undefined && random() < 0.2)
      const list = files.get(name) ?? []
      files.set(name, list)
      list.push({
        type: 'message',
        user: users[pick(USERS)],
        text,
        ts,
        ...(inThread && { thread_ts: thread, ...(isRoot && { reply_count: 3 }) }),
        ...(random() < 0.05 && { reactions: [{ name: 'tada', users: [users[pick(USERS)]], count: 1 }] }),
      })
    }
    const date = new Date((BEGIN + day * DAY) * 1000).toISOString().slice(0, 10)
    for (const [name, list] of files) write(`${name}/${date}.json`, list)
  }
}

/** The ceiling: the rows that each message takes, by the driver, in one transaction for each thousand. */
function insertByDriver(from: string, file: string): number {
  const source = new Database(from, { readonly: true })
  const target = new Database(file)
  target.pragma('journal_mode = WAL')
  target.pragma('synchronous = NORMAL')
  target.pragma('foreign_keys = OFF')
  const tables = ['message', 'search_text', 'import_object', 'reaction']
  for (const name of tables) {
    const made = source
      .prepare('select sql from sqlite_master where name = ? or (tbl_name = ? and type = ? and sql is not null)')
      .pluck()
      .all(name, name, 'index') as string[]
    for (const sql of made) target.exec(sql)
  }
  target.exec(source.prepare('select sql from sqlite_master where name = ?').pluck().get('message_search') as string)
  const rows = tables.map(
    (name) => [name, source.prepare(`select * from ${name}`).all() as Record<string, unknown>[]] as const,
  )
  const pieces = rows[1]![1].map((one) => [...piecesOf(String(one.text))].join(' '))
  const began = moment()
  for (const [name, all] of rows) {
    if (all.length === 0) continue
    const columns = Object.keys(all[0]!)
    const insert = target.prepare(
      `insert into ${name} (${columns.map((each) => `"${each}"`)}) values (${columns.map(() => '?')})`,
    )
    for (let at = 0; at < all.length; at += 1000) {
      target.exec('begin')
      for (const one of all.slice(at, at + 1000)) insert.run(...Object.values(one))
      target.exec('commit')
    }
  }
  const index = target.prepare('insert into message_search (rowid, pieces) values (?, ?)')
  for (let at = 0; at < pieces.length; at += 1000) {
    target.exec('begin')
    for (let i = at; i < Math.min(at + 1000, pieces.length); i++) index.run(i + 1, pieces[i])
    target.exec('commit')
  }
  return millisecondsSince(began)
}

// Another process writes the export, whose memory would count otherwise.
if (process.argv[3]) {
  writeExport(process.argv[3])
  process.exit()
}
const folder = mkdtempSync(join(tmpdir(), 'chat-bench-import-'))
try {
  const archive = join(folder, 'export')
  mkdirSync(archive)
  execFileSync(process.execPath, [process.argv[1]!, String(messages), archive])
  const file = join(folder, 'bench.db')
  keepHeapSmall('import')
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  const chat = await openChat({ db: file, passwordCost: 4, cacheMib: COMMAND_CACHE_MIB })
  await createOrganization(chat, { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga' })
  const scan = moment()
  await importArchive(chat, { file: archive, dryRun: true })
  row(`Dry run of ${messages} messages, each second`, messages / (millisecondsSince(scan) / 1000), '')
  const began = moment()
  await importArchive(chat, { file: archive })
  const took = millisecondsSince(began)
  clearInterval(watch)
  row(`Import of ${messages} messages with the search index, each second (goal: 8000)`, messages / (took / 1000), '')
  row('Peak of memory', peak / MIB, 'MiB', 300)
  await chat.close()
  row(
    'The same rows by the driver alone, each second',
    messages / (insertByDriver(file, join(folder, 'driver.db')) / 1000),
    '',
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
