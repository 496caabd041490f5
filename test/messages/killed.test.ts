import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { seedStreams, seedSubscriptions, seedTopic } from '../../bench/stalls/seeds.ts'
import { exportData } from '../../src/admin/commands/database.ts'
import type { Chat } from '../../src/core/kernel/chat.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { openChat } from '../../src/index.ts'
import { world } from '../../src/testing/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { eventually } from '../eventually.ts'
import { dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { running } from '../storage/children.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const ROUNDS = rounds({ short: 1, full: 6, variable: 'ROUNDS' })
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const COUNT = 800
/** About as long as the work takes after its first commit. */
const MOST_MS = 60
const onFile = onlyOnSqlite('what a file holds after kill -9')
const script = fileURLToPath(new URL('killed-work.ts', import.meta.url))

export type Work = 'move' | 'delete' | 'export'

/** What a database has before the work. */
export interface Seeded {
  owner: { email: string; key: string }
  /** Channels. */
  from: number
  to: number
  topic: { id: number; name: string }
  /** The messages of the topic. */
  ids: number[]
}

/** Fills a database. Each round begins with a copy of it. */
async function seed(file: string): Promise<Seeded> {
  await using w = await world({ chat: { db: file, checkContract: false } })
  const { iago, hamlet } = w.people
  const [from, to] = await seedStreams(w, 2)
  await seedSubscriptions(w, [iago.id, hamlet.id], [from!.id, to!.id])
  const { topic_id, name, ids } = await seedTopic(w, from!, 'old', COUNT)
  for (const id of ids.filter((_, i) => i % 40 === 0))
    await hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'heart' })
  const { email, key } = iago
  return { owner: { email, key }, from: from!.id, to: to!.id, topic: { id: topic_id, name }, ids: [...ids] }
}

/** Kills a process in the middle of its work, again and again, and calls back with each database that it leaves. */
async function killing(t: TestContext, what: Work, check: (chat: Chat, db: string, seeded: Seeded) => Promise<void>) {
  const roll = dice(SEED)
  t.diagnostic(`seed ${SEED}, ${ROUNDS} rounds`)
  using original = new TemporaryFolder(tmpdir())
  const whole = join(original.path, 'chat.db')
  const seeded = await seed(whole)
  for (let round = 0; round < ROUNDS; round++) {
    using folder = new TemporaryFolder(tmpdir())
    const db = join(folder.path, 'chat.db')
    copyFileSync(whole, db)
    {
      await using worker = running(script, [what, db, JSON.stringify(seeded)])
      assert.equal(await worker.line(), 'begun')
      await sleep(roll(MOST_MS))
      worker.process.kill('SIGKILL')
      await worker.ended
    }
    await using chat = await openChat({ db })
    await check(chat, db, seeded)
    await healthy(chat)
  }
}

/** What there is of these messages, by the channel they are in. */
async function rowsOf(chat: Chat, ids: readonly number[]) {
  const { db } = storeOf(chat)
  const [first, last] = [ids[0]!, ids.at(-1)!]
  const messages = await db
    .selectFrom('message')
    .innerJoin('topic', 'topic.id', 'message.topic_id')
    .select(['message.id', 'message.conversation_id', 'topic.stream_id', 'topic.name', 'message.content'])
    .where('message.id', '>=', first)
    .where('message.id', '<=', last)
    .orderBy('message.id')
    .execute()
  const reactions = await db.selectFrom('reaction').select('message_id').distinct().orderBy('message_id').execute()
  const edits = await db.selectFrom('message_edit').select('message_id').orderBy('message_id').execute()
  return { messages, reactions: reactions.map((row) => row.message_id), edits: edits.map((row) => row.message_id) }
}

/** Ids that events of this type name, in order. */
async function namedIn(chat: Chat, type: 'update_message' | 'delete_message'): Promise<number[]> {
  const rows = await storeOf(chat).db.selectFrom('event').select('payload').where('type', '=', type).execute()
  const ids = rows.flatMap(({ payload }) => (JSON.parse(payload) as { message_ids: number[] }).message_ids)
  return ids.sort((a, b) => a - b)
}

const healthy = async (chat: Chat): Promise<void> => {
  const { integrity, foreign_key_errors } = await storeOf(chat).inspect()
  assert.deepEqual([integrity, foreign_key_errors], [['ok'], 0])
}

test(`a move killed ${ROUNDS} times is finished after the start`, onFile, (t) =>
  killing(t, 'move', async (chat, _, { to, ids }) => {
    await eventually('the move is finished', async () => {
      const left = await storeOf(chat).db.selectFrom('unfinished_move').select('id').execute()
      return left.length === 0
    })
    const { messages, reactions, edits } = await rowsOf(chat, ids)
    assert.deepEqual(
      messages.map((row) => [row.id, row.conversation_id, row.stream_id, row.name]),
      ids.map((id) => [id, to, to, 'new']),
    )
    assert.deepEqual(
      reactions,
      ids.filter((_, i) => i % 40 === 0),
    )
    assert.deepEqual(edits, ids, 'each message has one entry in its history')
    assert.deepEqual(await namedIn(chat, 'update_message'), ids, 'each message is in one event')
  }),
)

test(`a deletion killed ${ROUNDS} times leaves each message whole or not at all`, onFile, (t) =>
  killing(t, 'delete', async (chat, _, { from, ids }) => {
    const { messages, reactions } = await rowsOf(chat, ids)
    const left = messages.map((row) => row.id)
    assert.deepEqual(left, ids.slice(0, left.length), 'the newest messages were deleted first')
    assert.ok(messages.every((row) => row.conversation_id === from && row.content !== ''))
    assert.deepEqual(
      reactions,
      left.filter((_, i) => i % 40 === 0),
    )
    assert.deepEqual(await namedIn(chat, 'delete_message'), ids.slice(left.length), 'each deletion is in one event')
  }),
)

test(`an export killed ${ROUNDS} times leaves no archive that is cut off`, onFile, (t) =>
  killing(t, 'export', async (chat, db, { ids }) => {
    const { messages } = await rowsOf(chat, ids)
    assert.equal(messages.length, ids.length)
    const folder = dirname(db)
    if (!existsSync(`${db}.tar.gz`)) {
      await exportData.run(chat, { file: join(folder, 'next.tar.gz'), kind: 'full' }, () => {})
    }
    const rest = readdirSync(folder).filter((name) => /partial|work|export/.test(name))
    assert.deepEqual(rest, [], 'the next export removes what a killed one left')
  }),
)
