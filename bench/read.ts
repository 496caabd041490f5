/**
 * Times reading: `node --import tsx bench/seed.ts FILE`, then `node --import tsx bench/read.ts FILE`. Not a
 * test, because a busy machine would fail it.
 */
import { copyFileSync, rmSync, statSync } from 'node:fs'
import { sql } from 'kysely'
import { storeOf } from '../src/core/kernel/store.ts'
import { markRead } from '../src/core/read-state/mark-messages.ts'
import { unreadMessages } from '../src/core/read-state/unread.ts'
import { newestUnread } from '../src/core/read-state/unread-list.ts'
import { actAs, type Caller, getMessages, getTopics, openChat } from '../src/index.ts'
import { plansOf } from './plans.ts'
import { millisecondsSince, moment } from './processor-time.ts'
import { row } from './row.ts'
import { READER_EMAIL } from './seed.ts'

const file = process.argv[2] ?? 'bench.db'
const rounds = Number(process.env.ROUNDS ?? 60)
const copy = `${file}.copy`
// A run that was ended leaves a log, which would be applied to the next copy.
for (const rest of ['-wal', '-shm']) rmSync(`${copy}${rest}`, { force: true })
// Works on a copy, since marking as read changes the file.
copyFileSync(file, copy)
copyFileSync(`${file}.secret`, `${copy}.secret`)
const chat = await openChat({ db: copy })
const reader = await actAs(chat, { email: READER_EMAIL })
const { user } = reader

const streams = await storeOf(chat)
  .db.selectFrom('subscription')
  .innerJoin('stream', 'stream.id', 'subscription.stream_id')
  .select(['stream.id', 'stream.name'])
  .where('user_id', '=', user.id)
  .execute()
const topics = (await getTopics(reader, { stream_id: streams[0]!.id })).topics
const sample = await storeOf(chat)
  .db.selectFrom('message')
  .select('content')
  .where('id', '>', 20_000)
  .orderBy('id')
  .limit(400)
  .execute()
const wordsOf = (i: number) => sample[i % sample.length]!.content.split(' ')
const longest = (i: number) => wordsOf(i).toSorted((a, b) => b.length - a.length)

interface Case {
  name: string
  goal?: number
  run(i: number): Promise<unknown>
}
const read = (narrow: readonly [string, string | number | number[]][], more: object = {}) =>
  getMessages(reader, {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: narrow.map((pair) => [...pair]),
    ...more,
  })

const cases: Case[] = [
  {
    name: '100 in a topic',
    goal: 5,
    run: (i) =>
      read([
        ['channel', streams[0]!.id],
        ['topic', topics[i % 50]!.name],
      ]),
  },
  {
    name: 'home view at first unread, 50 + 50',
    goal: 15,
    run: () => getMessages(reader, { anchor: 'first_unread', num_before: 50, num_after: 50 }),
  },
  { name: 'home view, newest 100', run: () => read([]) },
  { name: 'in:home, newest 100', run: () => read([['in', 'home']]) },
  { name: 'two words that occur together', goal: 40, run: (i) => read([['search', longest(i).slice(0, 2).join(' ')]]) },
  { name: 'two words of the commonest', run: (i) => read([['search', `${wordsOf(i)[0]} ${wordsOf(i)[1]}`]]) },
  {
    name: 'two words from different messages',
    run: (i) => read([['search', `${longest(i)[0]} ${longest(i + 1)[0]}`]]),
  },
  { name: 'one word', run: (i) => read([['search', longest(i)[0]!]]) },
  { name: 'part of a word', run: (i) => read([['search', longest(i)[0]!.slice(1, 5)]]) },
  { name: 'two letters', goal: 25, run: (i) => read([['search', longest(i)[0]!.slice(0, 2)]]) },
  { name: 'nothing found', run: (i) => read([['search', `zzqx${i}`]]) },
  {
    name: 'search in a channel',
    run: (i) =>
      read([
        ['channel', streams[i % 5]!.id],
        ['search', longest(i)[0]!],
      ]),
  },
  { name: '100 in a channel', run: (i) => read([['channel', streams[i % streams.length]!.id]]) },
  { name: 'channels:public', run: () => read([['channels', 'public']]) },
  { name: 'sender:me', run: () => read([['sender', 'me']]) },
  { name: 'is:unread', run: () => read([['is', 'unread']]) },
  { name: 'is:dm', run: () => read([['is', 'dm']]) },
  { name: 'is:starred, none', run: () => read([['is', 'starred']]) },
  { name: 'is:mentioned, none', run: () => read([['is', 'mentioned']]) },
  { name: 'has:image', run: () => read([['has', 'image']]) },
  { name: 'has:reaction', goal: 10, run: () => read([['has', 'reaction']]) },
  { name: 'is:resolved', goal: 10, run: () => read([['is', 'resolved']]) },
  { name: 'is:muted', goal: 10, run: () => read([['is', 'muted']]) },
  { name: 'is:read', goal: 10, run: () => read([['is', 'read']]) },
  { name: 'topics of a channel', run: (i) => getTopics(reader, { stream_id: streams[i % streams.length]!.id }) },
  {
    name: "register's unread data, 20,000 unread",
    goal: 80,
    run: () => unreadMessages(reader, { empty_topic_name: true }),
  },
]

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!

async function time({ name, goal, run }: Case, times = rounds): Promise<void> {
  const ms: number[] = []
  for (let i = 0; i < times; i++) {
    const start = moment()
    await run(i)
    ms.push(millisecondsSince(start))
    // One slow case must not use up the time of the whole run.
    if (ms.reduce((a, b) => a + b) > 20_000) break
  }
  ms.sort((a, b) => a - b)
  // In a small database, the first rounds mark all unread messages.
  if (ms.length === 0) return
  row(`${name}, p50`, quantile(ms, 0.5), 'ms', goal)
}

const only = process.env.ONLY
for (const one of cases) if (!only || one.name.includes(only)) await time(one)
if (only) process.exit()

const unread = (await newestUnread(reader, 50_000)).toReversed()
let taken = 0
await time(
  {
    name: 'marking 5,000 as read',
    goal: 60,
    async run() {
      const batch = unread.slice(taken, taken + 5000)
      taken += 5000
      await reader.write((tx) => markRead(tx, batch))
    },
  },
  Math.floor(unread.length / 5000),
)

// CI shows only the figures.
const shows = process.env.BENCH_FACTOR === undefined
if (shows) console.log('\nPlans')
for (const [name, plan] of shows ? await plansOf(reader, streams[0]!.id, topics[0]!.name) : []) {
  console.log(`${name}\n${plan.map((step) => `    ${step}`).join('\n')}`)
}

async function sizes({ chat }: Caller): Promise<void> {
  const { messages, content } = await storeOf(chat)
    .db.selectFrom('message')
    .select((eb) => [
      eb.fn.countAll<number>().as('messages'),
      eb.fn.sum<number>(eb.fn('octet_length', ['content'])).as('content'),
    ])
    .executeTakeFirstOrThrow()
  console.log('\nBytes per message')
  const line = (name: string, bytes: number) =>
    console.log(
      `${name.padEnd(40)} ${(bytes / messages).toFixed(1).padStart(6)}  ${(bytes / content).toFixed(2)} times`,
    )
  line('raw content', content)
  line('file', statSync(file).size)
  const parts = await sql<{ name: string; bytes: number }>`
    select name, sum(pgsize) as bytes from dbstat group by name order by bytes desc limit 6`.execute(storeOf(chat).db)
  for (const { name, bytes } of parts.rows) line(`  ${name}`, bytes)
}
if (shows) await sizes(reader)
await chat.close()
rmSync(copy)
rmSync(`${copy}.secret`)
