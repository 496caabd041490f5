/**
 * Processor time of sending ordinary messages without sockets, on a file, and how large they become in the log and the
 * index: `npm run bench:ordinary`. Kinds of text alternate, so that a slow moment doesn't affect only one kind.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { storeOf } from '../src/core/kernel/store.ts'
import { sendMessage } from '../src/core/messages/send/send.ts'
import { getMessages } from '../src/index.ts'
import { type World, world } from '../src/testing/world.ts'
import { median } from './median.ts'
import { millisecondsSince, moment } from './processor-time.ts'
import { row } from './row.ts'

const PROSE = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'
const MARKED =
  '**Bold** words for @**hamlet** and @**cordelia**, see https://example.com/page and `code` in it :smile: today.'
const BATCH = 32
/** Rounds until the compiler, whose threads count too, is done. */
const WARMING = 100
const [ROUNDS = 40, SECONDS = 15] = process.argv.slice(2).map(Number)

const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
const options = (name: string) => ({ chat: { db: join(folder, `${name}.db`), checkContract: false } })

/** Microseconds of the processor per message when many are sent at the same time. */
async function costOf({ people: { iago } }: World, content: string): Promise<number> {
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: BATCH }, () => sendMessage(iago, { type: 'stream', to: 'general', topic: 'bench', content })),
  )
  const { user, system } = process.cpuUsage(before)
  return (user + system) / BATCH
}

{
  await using w = await world(options('chat'))
  await using worded = await world(options('with-words'))
  const { iago } = w.people
  await addAlertWords(worded, 3000)
  /**
   * The kinds alternate because the machine's speed varies. The two kinds that are compared both come after prose, not
   * after the text that fills the caches.
   */
  const kinds = [
    [w, MARKED],
    [worded, PROSE],
    [w, PROSE],
    [worded, PROSE],
  ] as const
  const times = async (rounds: number) => {
    const found = kinds.map((): number[] => [])
    for (let round = 0; round < rounds; round++) {
      for (const [i, [where, content]] of kinds.entries()) found[i]!.push(await costOf(where, content))
    }
    return found.map(median)
  }
  await times(WARMING)
  const [marked, , prose, withWords] = await times(ROUNDS)
  row('a send of prose', prose!, 'µs', 105)
  row('… with link, bold, code, emoji, two mentions', marked!, 'µs', 210)
  const bytesOf = async (content: string) => {
    const { rows } = await sql<{ bytes: number }>`
      select avg(length(payload) + length(audience) + length(type)) as bytes
      from event where type = 'message' and payload ->> '$.content' = ${content}`.execute(storeOf(w.chat).db)
    return rows[0]!.bytes
  }
  row('row of a message of prose in the log', await bytesOf(PROSE), 'bytes', 500)
  row('… of the other, which has its HTML too', await bytesOf(MARKED), 'bytes')

  row('prose with 3,000 alert words: more', Math.max(0, (withWords! / prose! - 1) * 100), '%', 3, 60)

  // The clock of a test world is fixed, so the index is updated by hand.
  let since = performance.now()
  const passing = setInterval(() => {
    const now = performance.now()
    w.clock.advance(now - since)
    since = now
  }, 2)
  const end = performance.now() + SECONDS * 1000
  while (performance.now() < end) {
    await costOf(w, PROSE)
    await new Promise(setImmediate)
  }
  const before = moment()
  await getMessages(iago, { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['search', 'jumps']] })
  row(`first search after ${SECONDS} s of full load`, millisecondsSince(before), 'ms', 200)
  clearInterval(passing)
}
rmSync(folder, { recursive: true, force: true })

async function addAlertWords({ people: { hamlet } }: World, count: number): Promise<void> {
  await hamlet.write(async ({ db }) => {
    for (let i = 0; i < count; i++) {
      await db
        .insertInto('alert_word')
        .values({ user_id: hamlet.id, word: `word${i}`, word_key: `word${i}` })
        .execute()
    }
  })
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['one more'] })
}
