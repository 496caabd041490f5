import assert from 'node:assert/strict'
import test from 'node:test'
import pg from 'pg'
import { dialectOf, storeOf } from '../../src/core/kernel/store.ts'
import { sendMessage } from '../../src/index.ts'
import { cluster, needsServer } from './nodes.ts'

test('combines concurrent sends into a few inserts, each message with its event and flags', needsServer, async (t) => {
  await using c = await cluster(1)
  const hamlet = await c.at(0, 'hamlet')
  const send = (content: string) => sendMessage(hamlet, { type: 'stream', to: 'general', topic: 'many', content })
  // Creates the topic and lets Cordelia follow it, so that no later send changes the cache.
  await send('@**cordelia**')
  await send('Reads what is kept in memory.')
  const { db } = storeOf(c.w.chat)
  // A group of writes ends after some milliseconds; here time stands still.
  t.mock.method(performance, 'now', () => 0)
  const query = t.mock.method(pg.Client.prototype, 'query')
  const sent = await Promise.all(
    Array.from({ length: 45 }, (_, i) => send(i % 9 ? `Number ${i}.` : `@**cordelia** ${i}`)),
  )
  const texts = query.mock.calls.map(({ arguments: [config] }) => (config as unknown as pg.QueryConfig).text ?? '')
  query.mock.restore()
  const inserts = (table: string) => texts.filter((text) => text.startsWith(`insert into "${table}"`)).length
  // Sends that mention somebody ask the database in between, and may come to later transactions.
  for (const table of ['message', 'event']) assert.ok(inserts(table) < 30, `${inserts(table)} of ${table}`)

  const ids = sent.map(({ id }) => id)
  const messages = await db.selectFrom('message').select(['id', 'content']).where('id', 'in', ids).execute()
  const contents = new Map(messages.map(({ id, content }) => [id, content]))
  for (const [i, id] of ids.entries()) assert.match(contents.get(id)!, new RegExp(`\\b${i}\\b`))
  const events = await db.selectFrom('event').select('payload').where('type', '=', 'message').orderBy('id').execute()
  const logged = events.slice(-45).map(({ payload }) => JSON.parse(payload).message.id)
  assert.deepEqual(
    logged,
    [...ids].sort((a, b) => a - b),
  )
  const flags = await db.selectFrom('message_flag').select('message_id').where('message_id', 'in', ids).execute()
  assert.equal(flags.length, 5)
})

test('no send of the same transaction takes an id that a write reserves', needsServer, async (t) => {
  await using c = await cluster(1)
  const hamlet = await c.at(0, 'hamlet')
  const send = (content: string) => sendMessage(hamlet, { type: 'stream', to: 'general', topic: 'many', content })
  await send('Creates the topic.')
  await send('Reads what is kept in memory.')
  const reserve = () =>
    hamlet.write(async (tx) => {
      const newest = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
      await dialectOf(tx.chat).numberAbove(tx.db, 'message', newest.id + 100)
      return newest.id
    })
  // A group of writes ends after some milliseconds; here time stands still.
  t.mock.method(performance, 'now', () => 0)
  const some = (count: number) => Array.from({ length: count }, (_, i) => send(`Number ${i}.`))
  const before = some(20)
  const reserved = reserve()
  const sent = await Promise.all([...before, ...some(20)])
  sent.push(await send('The last one.'))
  const newest = await reserved
  assert.deepEqual(
    sent.filter(({ id }) => id > newest && id <= newest + 100),
    [],
  )
  assert.ok(sent.at(-1)!.id > newest + 100)
})
