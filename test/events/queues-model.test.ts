import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Audience, everyone, only } from '../../src/core/events/log/audience.ts'
import { busOf } from '../../src/core/events/log/bus.ts'
import { emit } from '../../src/core/events/log/emit.ts'
import { prunedPosition } from '../../src/core/events/log/event-ids.ts'
import { deleteQueue, getEvents } from '../../src/core/events/queues/poll.ts'
import { register } from '../../src/core/events/queues/register.ts'
import { sweep } from '../../src/core/events/queues/sweep.ts'
import { isChatError } from '../../src/core/kernel/errors.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Person, type World, world } from '../../src/testing/world.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { picker, seeded } from '../random.ts'
import { rounds } from '../rounds.ts'

/** Where several processes share the database, a queue ends some time later than the model says: another may have served it. */
const atOnce = onlyOnSqlite('idle queues end at once')
const FIRST = Number(process.env.FIRST_SEED ?? 1)
const STEPS = rounds({ short: 800, full: 3000, variable: 'STEPS' })

/** A simple model of a queue. */
interface ModelQueue {
  id: string
  owner: Person
  start: number
  acked: number
  lastUsed: number
  lifespan: number
}
interface Model {
  log: { id: number; readers: readonly Person[] }[]
  queues: ModelQueue[]
}

for (const seed of [FIRST, FIRST + 1, FIRST + 2]) {
  test(`queues match the model after ${STEPS} random steps (seed ${seed})`, atOnce, async (t) => {
    t.diagnostic(`seed ${seed}, ${STEPS} steps`)
    await using w = await world()
    const random = seeded(seed)
    const model: Model = { log: [], queues: [] }
    for (let i = 0; i < STEPS; i++) await step(w, model, random)
    assert.ok(model.log.length > STEPS / 10)
  })
}

async function step(w: World, model: Model, random: () => number): Promise<void> {
  const pick = picker(random)
  const { iago, hamlet, cordelia, polonius } = w.people
  const people = [iago, hamlet, cordelia, polonius]
  const now = () => Math.floor(w.clock.now() / 1000)
  const at = random()
  if (at < 0.3) {
    const [audience, readers] = pick<readonly [Audience, readonly Person[]]>([
      [everyone, people],
      [only(hamlet.id), [hamlet]],
      [{ role: 400 }, [iago, hamlet, cordelia]],
      [{ users: [polonius.id, iago.id], except: [iago.id] }, [polonius]],
      [{ users: [] }, []],
    ])
    const id = await iago.write((tx) =>
      emit(tx, { type: 'alert_words', alert_words: ['x'.repeat(random() * 200)] }, audience),
    )
    model.log.push({ id, readers })
  } else if (at < 0.36) {
    const owner = pick(people)
    const lifespan = pick([60, 600, 7200])
    if (model.queues.filter((queue) => queue.owner === owner).length >= 100) return
    const { queue_id, last_event_id } = await register(owner, { fetch_event_types: [], queue_lifespan_secs: lifespan })
    assert.equal(last_event_id, busOf(w.chat).head())
    model.queues.push({ id: queue_id, owner, start: last_event_id, acked: last_event_id, lastUsed: now(), lifespan })
  } else if (at < 0.4) w.clock.advance(pick([5, 40, 200, 500]) * 1000)
  else if (at < 0.43) await sweep(w.chat)
  else if (at < 0.45 && model.queues.length > 0) {
    const queue = pick(model.queues)
    const alive = isAlive(queue, now())
    await expectCode(deleteQueue(queue.owner, { queue_id: queue.id }), alive ? undefined : 'BAD_EVENT_QUEUE_ID')
    model.queues = model.queues.filter((one) => one !== queue)
  } else if (model.queues.length > 0) await ask(w, model, pick(model.queues), random, now())
}

const isAlive = (queue: ModelQueue, now: number): boolean => now - queue.lastUsed <= queue.lifespan

async function ask(w: World, model: Model, queue: ModelQueue, random: () => number, now: number): Promise<void> {
  const pick = picker(random)
  const head = busOf(w.chat).head()
  const last = pick([queue.acked, queue.acked, head, -1, queue.start, head + 3, Math.floor(random() * head)])
  // One in ten requests uses somebody else's queue.
  const stranger = random() < 0.1 && queue.owner !== w.people.iago
  const caller = stranger ? w.people.iago : queue.owner
  const asked = getEvents(caller, { queue_id: queue.id, last_event_id: last, dont_block: true })
  if (stranger || !isAlive(queue, now)) {
    const error = await expectCode(asked, 'BAD_EVENT_QUEUE_ID')
    assert.deepEqual(error, { message: `Bad event queue ID: ${queue.id}`, data: { queue_id: queue.id } })
    if (!stranger) model.queues = model.queues.filter((one) => one !== queue)
    return
  }
  if (last > head) {
    await expectCode(asked, 'BAD_EVENT_QUEUE_ID')
    return
  }
  const cursor = Math.max(last, queue.start)
  if (cursor < (await prunedPosition(storeOf(w.chat).db))) {
    assert.ok(cursor < queue.acked, 'what was not acknowledged is never pruned')
    assert.equal(
      (await expectCode(asked, 'BAD_REQUEST')).message,
      `An event newer than ${last} has already been pruned!`,
    )
    return
  }
  const ids = (await asked).events.map((event) => event.id)
  const expected = model.log.filter(({ id, readers }) => id > cursor && readers.includes(queue.owner))
  assert.deepEqual(
    ids,
    expected.map((entry) => entry.id),
  )
  queue.acked = Math.max(queue.acked, cursor)
  queue.lastUsed = now
}

async function expectCode(promise: Promise<unknown>, code: string | undefined) {
  try {
    await promise
  } catch (error) {
    if (!isChatError(error)) throw error
    assert.equal(error.code, code)
    return { message: error.message, data: error.data }
  }
  assert.equal(undefined, code)
  return { message: '', data: {} }
}
