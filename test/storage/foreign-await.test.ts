import assert from 'node:assert/strict'
import test from 'node:test'
import { contextOf, inSnapshot } from '../../src/core/kernel/context.ts'
import { pacer } from '../../src/core/kernel/slices.ts'
import { openChat } from '../../src/index.ts'
import { collecting, type LogEntry } from '../../src/testing/server.ts'
import { world } from '../../src/testing/world.ts'
import { onlyOnSqlite } from '../dialect.ts'

const turn = () => new Promise(setImmediate)

test(
  'logs a write that awaits something other than the database, at most once a minute',
  onlyOnSqlite('a server ends a transaction that idles'),
  async () => {
    const log: LogEntry[] = []
    await using w = await world({ chat: { logger: collecting(log) } })
    const { iago } = w.people
    await iago.write((tx) => tx.db.selectFrom('user').select('id').execute())
    assert.equal(log.length, 0)
    await iago.write(turn)
    assert.equal(log.length, 1)
    assert.match(log[0]!.message, /^a write is waiting for something other than the database/)
    await iago.write(turn)
    assert.equal(log.length, 1)
    w.clock.advance(60_000)
    await iago.write(turn)
    assert.equal(log.length, 2)
  },
)

test('a snapshot read can yield even when it holds the only connection', async () => {
  const log: LogEntry[] = []
  await using chat = await openChat({ logger: collecting(log) })
  const context = contextOf(chat)
  await inSnapshot(context, async (reader) => {
    const pause = pacer(reader)
    const until = performance.now() + 30
    while (performance.now() < until) await pause()
    await turn()
  })
  await context.write(async () => {})
  assert.equal(log.length, 0)
})
