import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { copy } from '../../src/admin/copy.ts'
import { openFrom } from '../../src/core/open-chat.ts'
import { createApp } from '../../src/http/index.ts'
import { actAs, type Chat, getEvents, getMessages, register, sendMessage } from '../../src/index.ts'
import { manualClock } from '../../src/testing/index.ts'
import { world } from '../../src/testing/world.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { borrowDatabase, needsServer } from './nodes.ts'

const options = (db: string, clock = manualClock()) => ({ db, clock, passwordCost: 4, checkContract: true })

async function texts(chat: Chat, search?: string): Promise<string[]> {
  const narrow = search ? [{ operator: 'search', operand: search }] : []
  const hamlet = await actAs(chat, { email: 'hamlet@example.com' })
  const found = await getMessages(hamlet, {
    anchor: 'oldest',
    num_before: 0,
    num_after: 1000,
    narrow,
    apply_markdown: false,
  })
  return found.messages.map(({ id, content }) => `${id} ${content}`)
}

test('moves a chat to PostgreSQL and back with ids, keys, queues, files and search', needsServer, async () => {
  using folder = new TemporaryFolder()
  await using server = await borrowDatabase()
  const first = join(folder.path, 'first.db')
  const second = join(folder.path, 'second.db')
  const w = await world({
    chat: { db: first, secret: undefined as never },
    streams: { verona: { members: ['hamlet'] } },
  })
  const { hamlet } = w.people
  for (let i = 0; i < 30; i++)
    await hamlet.says(`message ${i} of **Elsinore**`, { stream: 'verona', topic: `t${i % 4}` })
  const uploaded = await hamlet.api.upload('/user_uploads', new Uint8Array(600_000).fill(7), 'a.bin')
  await hamlet.says(`a file: [a](${uploaded.url})`)
  const { queue_id, last_event_id } = await register(hamlet, { event_types: ['message'] })
  const missed = await hamlet.says('while it was away')
  const before = await texts(w.chat)
  const found = await texts(w.chat, 'message')
  assert.ok(found.length > 0)
  await w.chat.close()

  for (const [from, to] of [
    [first, server.url],
    [server.url, second],
  ] as const) {
    const copied = await copy(from, to, () => {})
    assert.ok(copied.find(({ name }) => name === 'blob_chunk')!.rows >= 3)
    await using chat = await openFrom(options(to, w.clock))
    assert.deepEqual(await texts(chat), before)
    assert.deepEqual(await texts(chat, 'message'), found)
    const app = createApp({ chat })
    const own = await app.fetch(
      new Request('http://chat.test/api/v1/users/me', { headers: { authorization: hamlet.authorization } }),
    )
    assert.equal(own.status, 200)
    const there = await actAs(chat, { email: hamlet.email })
    const { events } = await getEvents(there, { queue_id, last_event_id, dont_block: true })
    assert.deepEqual(
      events.map((event) => event.type === 'message' && event.message.id),
      [missed.id],
    )
  }
  // Ids continue.
  await using chat = await openFrom(options(second, w.clock))
  const there = await actAs(chat, { email: hamlet.email })
  const { id } = await sendMessage(there, { type: 'stream', to: 'verona', topic: 'x', content: 'after' })
  assert.equal(id, missed.id + 1)
})

test("doesn't copy into a database that holds a chat or out of one in use", needsServer, async () => {
  using folder = new TemporaryFolder()
  await using server = await borrowDatabase()
  const file = join(folder.path, 'chat.db')
  await using w = await world({ chat: { db: server.url, secret: undefined as never } })
  await assert.rejects(
    copy(server.url, file, () => {}),
    /Another process uses .*Stop all nodes first/,
  )
  // Another node continues, even before it leads.
  const other = await openFrom(options(server.url, w.clock))
  await w.chat.close()
  await assert.rejects(
    copy(server.url, file, () => {}),
    /Another process uses .*Stop all nodes first/,
  )
  await other.close()
  await copy(server.url, file, () => {})
  await assert.rejects(
    copy(file, server.url, () => {}),
    /already contains a chat/,
  )
  await assert.rejects(
    copy(join(folder.path, 'none.db'), server.url, () => {}),
    /does not exist/,
  )
})
