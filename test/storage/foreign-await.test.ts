import assert from 'node:assert/strict'
import test from 'node:test'
import { atOneMoment, contextOf } from '../../src/core/context.ts'
import { pacer } from '../../src/core/slices.ts'
import { openChat } from '../../src/index.ts'
import { world } from '../../src/testing/world.ts'

const turn = () => new Promise(setImmediate)

test('a write that awaits something other than the database is told to the log, at most once a minute', async () => {
  const log: string[] = []
  await using w = await world({ chat: { log: (message) => void log.push(message) } })
  const { iago } = w.people
  await iago.write((tx) => tx.db.selectFrom('user').select('id').execute())
  assert.deepEqual(log, [])
  await iago.write(turn)
  assert.equal(log.length, 1)
  assert.match(log[0]!, /^warning: a write awaits something other than the database/)
  await iago.write(turn)
  assert.equal(log.length, 1)
  w.clock.advance(60_000)
  await iago.write(turn)
  assert.equal(log.length, 2)
})

test('a read of one moment may let others have a turn, also where it holds the only connection', async () => {
  const log: string[] = []
  await using chat = await openChat({ log: (message) => void log.push(message) })
  const context = contextOf(chat)
  await atOneMoment(context, async (reader) => {
    const pause = pacer(reader)
    const until = performance.now() + 30
    while (performance.now() < until) await pause()
    await turn()
  })
  await context.write(async () => {})
  assert.deepEqual(log, [])
})
