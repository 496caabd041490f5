/**
 * Processor time of sending ordinary messages, without sockets, and what the log and the index make of them:
 * `npm run bench:ordinary`. On a file; kinds of text alternate, so that a slow moment is not one kind's.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { sendMessage } from '../src/core/messages/send/send.ts'
import { storeOf } from '../src/core/store.ts'
import { getMessages } from '../src/index.ts'
import { world } from '../src/testing/world.ts'
import { millisecondsSince, moment } from './processor-time.ts'

const PROSE = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'
const MARKED =
  '**Bold** words for @**hamlet** and @**cordelia**, see https://example.com/page and `code` in it :smile: today.'
const BATCH = 32
const ROUNDS = Number(process.argv[2] ?? 40)

const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
const line = (name: string, value: string) => console.log(name.padEnd(66), value)
const middle = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
{
  await using w = await world({ chat: { db: join(folder, 'chat.db'), checkContract: false } })
  const { iago, hamlet } = w.people
  const batch = async (content: string) => {
    const before = process.cpuUsage()
    await Promise.all(
      Array.from({ length: BATCH }, () => sendMessage(iago, { type: 'stream', to: 'general', topic: 'bench', content })),
    )
    const { user, system } = process.cpuUsage(before)
    return (user + system) / BATCH
  }
  const times = async (contents: readonly string[]) => {
    const found = contents.map((): number[] => [])
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, content] of contents.entries()) found[i]!.push(await batch(content))
    }
    return found.map(middle)
  }
  await times([PROSE, MARKED])
  const [prose, marked] = await times([PROSE, MARKED])
  line('a send of prose', `${prose!.toFixed(0)} µs`)
  line('… with link, bold, code, emoji, two mentions', `${marked!.toFixed(0)} µs`)
  const { rows } = await sql<{ bytes: number }>`
    select avg(length(payload) + length(audience) + length(type)) as bytes
    from event where type = 'message'`.execute(storeOf(w.chat).db)
  line('row of a message in the log', `${rows[0]!.bytes.toFixed(0)} bytes`)

  await hamlet.write(async ({ db }) => {
    for (let i = 0; i < 3000; i++) {
      await db.insertInto('alert_word').values({ user_id: hamlet.id, word: `word${i}`, word_key: `word${i}` }).execute()
    }
  })
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['one more'] })
  const [withWords] = await times([PROSE])
  const [again] = await times([PROSE])
  line('… with 3,000 alert words', `${(((withWords! + again!) / 2 / prose! - 1) * 100).toFixed(0)} %`)

  const end = performance.now() + 15_000
  while (performance.now() < end) await batch(PROSE)
  const before = moment()
  await getMessages(iago, { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['search', 'jumps']] })
  line('first search after 15 s of full load', `${millisecondsSince(before).toFixed(0)} ms`)
}
rmSync(folder, { recursive: true, force: true })
