import assert from 'node:assert/strict'
import { test } from 'node:test'
import { live } from '../../src/client/live/live.ts'
import { type Outbox, outbox } from '../../src/client/outbox.ts'
import type { OutboxEntry } from '../../src/client/outbox-entry.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { type World, world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'
import { lineTo } from './line.ts'

async function writing(w: World, storage = memory()) {
  const line = lineTo(w, w.people.hamlet)
  const timers = manualClock()
  const session = live(line.client, { timers, random: () => 0 })
  await session.ready()
  const out = outbox(line.client, session, { storage, timers, random: () => 0 })
  return { line, timers, session, out, storage }
}

function memory(saved: readonly OutboxEntry[] = []) {
  const storage = {
    saved,
    load: async () => storage.saved,
    async save(entries: readonly OutboxEntry[]) {
      storage.saved = structuredClone(entries)
    },
  }
  return storage
}

const say = (content: string) => ({ type: 'stream' as const, to: 'general', topic: 't', content })
const until = (out: Outbox, test: () => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => test() && resolve()
    out.onChange(look)
    look()
  })

async function contents(w: World): Promise<string[]> {
  const narrow = [{ operator: 'topic', operand: 't' }]
  const params = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false, narrow }
  const { messages } = await w.people.hamlet.api.get('/messages', params)
  return messages.map((message: { content: string }) => message.content)
}

test('sends messages in writing order and removes each once it arrives', async () => {
  await using w = await world()
  const { out, session } = await writing(w)
  for (const content of ['one', 'two', 'three']) out.send(say(content))
  assert.equal(out.entries.length, 3)
  await until(out, () => out.entries.length === 0)
  assert.deepEqual(await contents(w), ['one', 'two', 'three'])
  await session.stop()
})

test('is recognized by one key when a message is sent again', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { out, line, timers, session } = await writing(w)
  line.losing = '/messages'
  out.send(say('once'))
  await eventually('it was sent', async () => (await contents(w)).length === 1)
  line.losing = undefined
  timers.advance(60_000)
  await until(out, () => out.entries.length === 0)
  assert.deepEqual(await contents(w), ['once'])
  const keys = await hamlet.write(({ db }) => db.selectFrom('idempotency_key').selectAll().execute())
  const receipts = await hamlet.write(({ db }) => db.selectFrom('send_receipt').selectAll().execute())
  assert.deepEqual([keys.length, receipts.length], [0, 1])
  await session.stop()
})

test('learns from the event that a message was sent when the response is lost', async () => {
  await using w = await world()
  const { out, line, session } = await writing(w)
  line.losing = '/messages'
  out.send(say('once'))
  await until(out, () => out.entries.length === 0)
  assert.deepEqual(await contents(w), ['once'])
  await session.stop()
})

test('sends a message once more after losing both response and queue, without a duplicate', async () => {
  await using w = await world()
  const { out, line, timers, session } = await writing(w)
  line.losing = '/'
  out.send(say('once'))
  const sends = () => line.requests.filter((request) => request === 'POST /messages').length
  await eventually('the answer is lost', () => line.lost.includes('POST /messages'))
  await w.people.hamlet.api.delete('/events', { queue_id: session.state!.queue_id })
  line.losing = undefined
  await eventually('everything is sent', () => {
    // Nothing is given up because it takes the server its time.
    if (line.underWay() === 0) timers.advance(1_000)
    return out.entries.length === 0
  })
  assert.equal(sends(), 2)
  assert.deepEqual(await contents(w), ['once'])
  await session.stop()
})

test('keeps a rejected message with its reason and sends the others', async () => {
  await using w = await world()
  const { out, session } = await writing(w)
  const refused = out.send({ ...say('x'), to: 'nowhere' })
  out.send(say('fine'))
  await until(out, () => out.entries.length === 1 && out.entries[0]!.status === 'failed')
  assert.match(out.entries[0]!.error!, /nowhere/)
  await w.people.hamlet.joins('nowhere')
  out.retry(refused)
  await until(out, () => out.entries.length === 0)
  const again = out.send({ ...say('x'), to: 'never' })
  await until(out, () => out.entries[0]?.status === 'failed')
  out.discard(again)
  assert.deepEqual(out.entries, [])
  await session.stop()
})

test('sends although the storage hangs', async () => {
  await using w = await world()
  const storage = { load: () => new Promise<never>(() => {}), save: async () => {} }
  const { out, timers, session } = await writing(w, { ...memory(), ...storage })
  out.send(say('one'))
  await eventually('it is sent', async () => {
    timers.advance(500)
    return (await contents(w)).includes('one')
  })
  await session.stop()
})

test('entries survive a restart, and a retry after a reload sends nothing twice', async () => {
  await using w = await world()
  const first = await writing(w)
  first.line.losing = '/'
  first.out.send(say('kept'))
  await eventually('the answer is lost', () => first.line.lost.includes('POST /messages'))
  await first.session.stop()
  assert.equal(first.storage.saved.length, 1)
  const second = await writing(w, memory(first.storage.saved))
  await until(second.out, () => second.out.entries.length === 0)
  await eventually('nothing is kept', () => second.storage.saved.length === 0)
  assert.deepEqual(await contents(w), ['kept'])
  await second.session.stop()
})

test('leaves messages that may have been sent over a day ago to their author', async () => {
  await using w = await world()
  const written_at = manualClock().now() - 86_400_000
  const old: OutboxEntry = { local_id: 'a', message: say('old'), written_at, queue_id: 'q', status: 'sending' }
  const { out, session } = await writing(w, memory([old]))
  await until(out, () => out.entries[0]?.status === 'failed')
  assert.deepEqual(await contents(w), [])
  await session.stop()
})
