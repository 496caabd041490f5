import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { exportData } from '../../src/admin/commands/database.ts'
import type { Chat } from '../../src/core/kernel/chat.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { openChat } from '../../src/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { eventually } from '../eventually.ts'
import { dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { running } from '../storage/children.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const ROUNDS = rounds({ short: 1, full: 30, variable: 'ROUNDS' })
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const COUNT = 800
/** About as long as the work takes after its first commit. */
const MOST_MS = 60
const onFile = onlyOnSqlite('what a file holds after kill -9')
const script = fileURLToPath(new URL('killed-work.ts', import.meta.url))

interface Begun {
  from: number
  to: number
  ids: number[]
}

/** Kills a process in the middle of its work, and opens what it leaves. */
async function killed(what: 'move' | 'delete' | 'export', file: string, after_ms: number): Promise<Begun> {
  await using worker = running(script, [what, file, String(COUNT)])
  const begun = JSON.parse(await worker.line()) as Begun
  assert.equal(await worker.line(), 'begun')
  await sleep(after_ms)
  worker.process.kill('SIGKILL')
  await worker.ended
  return begun
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

test(`a move killed ${ROUNDS} times is finished after the start`, onFile, async (t) => {
  const roll = dice(SEED)
  t.diagnostic(`seed ${SEED}, ${ROUNDS} rounds`)
  for (let round = 0; round < ROUNDS; round++) {
    using folder = new TemporaryFolder()
    const db = join(folder.path, 'chat.db')
    const { to, ids } = await killed('move', db, roll(MOST_MS))
    await using chat = await openChat({ db })
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
    await healthy(chat)
  }
})

test(`a deletion killed ${ROUNDS} times leaves each message whole or not at all`, onFile, async (t) => {
  const roll = dice(SEED)
  t.diagnostic(`seed ${SEED}, ${ROUNDS} rounds`)
  for (let round = 0; round < ROUNDS; round++) {
    using folder = new TemporaryFolder()
    const db = join(folder.path, 'chat.db')
    const { from, ids } = await killed('delete', db, roll(MOST_MS))
    await using chat = await openChat({ db })
    const { messages, reactions } = await rowsOf(chat, ids)
    const left = messages.map((row) => row.id)
    assert.deepEqual(left, ids.slice(0, left.length), 'the newest messages were deleted first')
    assert.ok(messages.every((row) => row.conversation_id === from && row.content !== ''))
    assert.deepEqual(
      reactions,
      left.filter((_, i) => i % 40 === 0),
    )
    assert.deepEqual(await namedIn(chat, 'delete_message'), ids.slice(left.length), 'each deletion is in one event')
    await healthy(chat)
  }
})

test(`an export killed ${ROUNDS} times leaves no archive that is cut off`, onFile, async (t) => {
  const roll = dice(SEED)
  t.diagnostic(`seed ${SEED}, ${ROUNDS} rounds`)
  for (let round = 0; round < ROUNDS; round++) {
    using folder = new TemporaryFolder()
    const db = join(folder.path, 'chat.db')
    const { ids } = await killed('export', db, roll(MOST_MS))
    await using chat = await openChat({ db })
    const { messages } = await rowsOf(chat, ids)
    assert.equal(messages.length, ids.length)
    if (!existsSync(`${db}.tar.gz`)) {
      await exportData.run(chat, { file: join(folder.path, 'next.tar.gz'), kind: 'full' }, () => {})
    }
    const rest = readdirSync(folder.path).filter((name) => /partial|work|export/.test(name))
    assert.deepEqual(rest, [], 'the next export removes what a killed one left')
    await healthy(chat)
  }
})
