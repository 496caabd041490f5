import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Caller, getEvents, getMessages, register } from '../../src/index.ts'
import { eventually } from '../eventually.ts'
import { appendTogether, endConnection, say, sendHeld, waitForTurns } from './appending.ts'
import { type Cluster, cluster, needsServer } from './nodes.ts'
import { isRefused } from './refused.ts'

interface Reading {
  /** IDs of the messages received so far, in the order of their events. */
  readonly got: readonly number[]
  /** Resolves when this message was received. */
  until(id: number): Promise<void>
}

/** Begins to read a queue with polls that wait. */
async function read(who: Caller): Promise<Reading> {
  const { queue_id, ...registered } = await register(who, { event_types: ['message'] })
  let { last_event_id } = registered
  const got: number[] = []
  return {
    got,
    async until(id) {
      while (!got.includes(id)) {
        for (const event of (await getEvents(who, { queue_id, last_event_id })).events) {
          assert.ok(event.id > last_event_id)
          last_event_id = event.id
          if (event.type === 'message') got.push(event.message.id)
        }
      }
    },
  }
}

const readEverywhere = (c: Cluster) => Promise.all(c.nodes.map(async (_, node) => read(await c.at(node, 'cordelia'))))

async function stored(who: Caller, after: number): Promise<number[]> {
  const { messages } = await getMessages(who, {
    anchor: after,
    num_before: 0,
    num_after: 100,
    include_anchor: false,
    narrow: [],
  })
  return messages.map(({ id }) => id)
}

test(
  'a message that takes its ID first and is committed last is still the first for all readers',
  needsServer,
  async (t) => {
    await using c = await cluster(2)
    await appendTogether(t, c)
    const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
    const before = await say(here, 'Before.')
    const readers = await readEverywhere(c)
    const first = sendHeld(here, 'First.')
    const firstId = await first.begun
    let answered = false
    const second = say(there, 'Second.').then((id) => {
      answered = true
      return id
    })
    await waitForTurns(c, 1)
    assert.equal(answered, false)
    assert.deepEqual(await stored(there, before), [])
    first.release()
    const secondId = await second
    assert.equal(await first.sent, firstId)
    assert.ok(firstId < secondId)
    for (const reader of readers) {
      await reader.until(secondId)
      assert.deepEqual(reader.got, [firstId, secondId])
    }
    assert.deepEqual(await stored(here, before), [firstId, secondId])
  },
)

test('no message passes an open one when the transaction between them fails', needsServer, async (t) => {
  await using c = await cluster(3)
  await appendTogether(t, c)
  const [one, two, three] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet'), await c.at(2, 'hamlet')]
  const before = await say(one, 'Before.')
  const readers = await readEverywhere(c)
  const first = sendHeld(one, 'First.')
  const firstId = await first.begun
  const failing = sendHeld(two, 'It fails.')
  await failing.begun
  const last = say(three, 'Last.')
  await waitForTurns(c, 1)
  const refused = isRefused(failing.sent)
  await endConnection(c, 1)
  failing.release()
  await refused
  await waitForTurns(c, 1)
  assert.deepEqual(await stored(three, before), [])
  first.release()
  const lastId = await last
  assert.equal(await first.sent, firstId)
  for (const reader of readers) {
    await reader.until(lastId)
    assert.deepEqual(reader.got, [firstId, lastId])
  }
  const again = await say(two, 'It is connected again.')
  assert.deepEqual(await stored(three, before), [firstId, lastId, again])
})

test('a node that stalls while others append is ended by one that waits for its turn', needsServer, async (t) => {
  await using c = await cluster(2)
  await appendTogether(t, c)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const before = await say(here, 'Before.')
  const [, reader] = await readEverywhere(c)
  const stalled = sendHeld(here, 'It stalls.', { still: true })
  await stalled.begun
  const refused = isRefused(stalled.sent)
  const id = await say(there, 'It waits no longer.')
  stalled.release()
  await refused
  const again = await say(here, 'It is back.')
  assert.deepEqual(await stored(there, before), [id, again])
  await reader!.until(again)
  assert.deepEqual(reader!.got, [id, again])
})

test('a write that changes something waits for all that append, and they wait for it', needsServer, async (t) => {
  await using c = await cluster(3)
  await appendTogether(t, c)
  const callers = await Promise.all([0, 1, 2].map((node) => c.at(node, 'iago')))
  const { db } = storeOf(c.w.chat)
  const value = async (from: typeof db) => {
    const row = await from
      .selectFrom('organization_setting')
      .select('value')
      .where('name', '=', 'a-counter')
      .executeTakeFirst()
    return Number(row?.value ?? 0)
  }
  await callers[0]!.write((tx) =>
    tx.db.insertInto('organization_setting').values({ name: 'a-counter', value: '0' }).execute(),
  )
  let effects = 0
  const count = (caller: Caller) =>
    caller.write(
      async (tx) => {
        const next = (await value(tx.db)) + 1
        await say(tx, `Number ${next}`)
        tx.afterCommit(() => void effects++)
        await tx.db
          .updateTable('organization_setting')
          .set({ value: String(next) })
          .where('name', '=', 'a-counter')
          .execute()
        return next
      },
      { appends: true },
    )
  const counted = await Promise.all(
    Array.from({ length: 60 }, (_, i) => (i % 4 === 0 ? say(callers[i % 3]!, 'meanwhile') : count(callers[i % 3]!))),
  )
  assert.equal(await value(db), 45)
  assert.equal(effects, 45)
  assert.equal(counted.length, 60)
})

test('a failing write loses its own rows and no others', needsServer, async (t) => {
  await using c = await cluster(2)
  const appending = await appendTogether(t, c)
  const here = await c.at(0, 'hamlet')
  const before = await say(here, 'Before.')
  await say(await c.at(1, 'hamlet'), 'Meanwhile.')
  const count = appending.count
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, i) =>
      here.write(
        async (tx) => {
          const id = await say(tx, `Number ${i}`)
          if (i % 3 === 1) throw new Error('It fails after it was sent.')
          return id
        },
        { appends: true },
      ),
    ),
  )
  assert.ok(appending.count > count)
  const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  assert.equal(ids.length, 20)
  assert.deepEqual((await stored(here, before)).slice(1), ids)
})

test('readers of a node receive what others send while all sends of the node fail', needsServer, async (t) => {
  await using c = await cluster(2)
  await appendTogether(t, c)
  const here = await c.at(0, 'hamlet')
  const [reader] = await readEverywhere(c)
  let failed = 0
  let isOver = false
  async function failAgainAndAgain(): Promise<void> {
    while (!isOver && failed < 2000) {
      // Some writes always wait, so a transaction always follows in a moment.
      const failing = () => here.write(() => Promise.reject(new Error('It fails.')), { appends: true })
      const soon = new Promise<void>((resolve) => void setImmediate(resolve))
      await Promise.allSettled([failing(), soon.then(failing)])
      failed++
    }
  }
  const failing = Promise.all(Array.from({ length: 8 }, failAgainAndAgain))
  await reader!.until(await say(await c.at(1, 'hamlet'), 'It arrives.'))
  isOver = true
  await failing
  assert.ok(failed < 2000)
})

test('no reader of the log or the messages skips a row that is committed later', needsServer, async (t) => {
  await using c = await cluster(3)
  const appending = await appendTogether(t, c)
  const { db } = storeOf(c.w.chat)
  const newest = async (table: 'event' | 'message') =>
    (await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0
  const start = { event: await newest('event'), message: await newest('message') }
  let sending = true
  async function follow(table: 'event' | 'message'): Promise<number[]> {
    const ids: number[] = []
    for (let isLast = false; ; ) {
      const rows = await db
        .selectFrom(table)
        .select('id')
        .where('id', '>', ids.at(-1) ?? start[table])
        .orderBy('id')
        .execute()
      ids.push(...rows.map(({ id }) => id))
      if (isLast) return ids
      isLast = !sending
    }
  }
  const following = Promise.all([follow('event'), follow('message')])
  const callers = await Promise.all([0, 1, 2].map((node) => c.at(node, 'hamlet')))
  const count = appending.count
  const sent: number[] = []
  const cordelia = await c.at(1, 'cordelia')
  for (let round = 0; round < 8; round++) {
    const sends = Array.from({ length: 45 }, (_, i) => say(callers[i % 3]!, `Number ${i} of round ${round}`))
    const { max_message_id, queue_id, last_event_id } = await register(cordelia, { event_types: ['message'] })
    sent.push(...(await Promise.all(sends)))
    // It comes after all others, and surely after they registered.
    const last = await say(callers[0]!, `The last of round ${round}`)
    sent.push(last)
    const received: number[] = []
    let position = last_event_id
    await eventually('all messages have arrived', async () => {
      const { events } = await getEvents(cordelia, { queue_id, last_event_id: position, dont_block: true })
      position = events.at(-1)?.id ?? position
      for (const event of events) if (event.type === 'message') received.push(event.message.id)
      return received.includes(last)
    })
    // What is in the state isn't among the events, and the other way round.
    assert.deepEqual(
      received,
      sent.filter((id) => id > max_message_id!).sort((a, b) => a - b),
    )
  }
  sending = false
  assert.ok(appending.count > count)
  sent.sort((a, b) => a - b)
  const [events, messages] = await following
  assert.deepEqual(messages, sent)
  const logged = await db.selectFrom('event').select('id').where('id', '>', start.event).orderBy('id').execute()
  assert.deepEqual(
    events,
    logged.map(({ id }) => id),
  )
})
