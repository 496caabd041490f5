import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { busOf } from '../../src/core/events/log/bus.ts'
import { leads } from '../../src/core/events/log/follow-peers.ts'
import { gossipOf } from '../../src/core/events/log/peer-gossip.ts'
import { contextOf, organizationIsOpen } from '../../src/core/kernel/context.ts'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { createApp } from '../../src/http/index.ts'
import {
  type Caller,
  deactivateOrganization,
  deleteQueue,
  getEvents,
  getMessages,
  listImports,
  reactivateOrganization,
  register,
  sendMessage,
  setTyping,
  subscribe,
  undoImport,
  unsubscribe,
  updateUser,
} from '../../src/index.ts'
import { eventually } from '../eventually.ts'
import { cluster, needsServer } from './nodes.ts'

const say = (who: Caller, content: string, topic = 'plans') =>
  sendMessage(who, { type: 'stream', to: 'general', topic, content })

async function read(who: Caller, queue_id: string, last_event_id: number) {
  const { events } = await getEvents(who, { queue_id, last_event_id, dont_block: true })
  return events
}

test('a message sent at one node wakes a poll at another', needsServer, async () => {
  await using c = await cluster(2)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'cordelia')]
  const { queue_id, last_event_id } = await register(there, { event_types: ['message'] })
  const polled = getEvents(there, { queue_id, last_event_id })
  const { id } = await say(here, 'hello')
  const { events } = await polled
  assert.deepEqual(
    events.map((event) => event.type === 'message' && [event.message.id, event.message.content]),
    [[id, 'hello']],
  )
})

test('a poll with dont_block sees earlier commits of other nodes, repeatedly', needsServer, async () => {
  await using c = await cluster(2)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'cordelia')]
  const queues = [
    await register(there, { event_types: ['message'] }),
    await register(there, { event_types: ['message'] }),
  ]
  for (let i = 1; i <= 20; i++) {
    await say(here, `message ${i}`)
    // Those of the same moment share a look at the database.
    const answers = await Promise.all(queues.map((queue) => read(there, queue.queue_id, queue.last_event_id)))
    assert.deepEqual(
      answers.map((events) => events.length),
      [i, i],
    )
  }
})

test('simultaneous writes on all nodes have one order for readers everywhere', needsServer, async () => {
  await using c = await cluster(3)
  const readers = await Promise.all([0, 1, 2].map((node) => c.at(node, 'cordelia')))
  const queues = await Promise.all(readers.map((reader) => register(reader, { event_types: ['message'] })))
  const writers = await Promise.all([0, 1, 2].map((node) => c.at(node, 'hamlet')))
  const sends = Array.from({ length: 90 }, (_, i) => say(writers[i % 3]!, `number ${i}`, `topic ${i % 5}`))
  const sent = (await Promise.all(sends)).map(({ id }) => id).sort((a, b) => a - b)
  assert.equal(new Set(sent).size, 90)
  for (const [i, reader] of readers.entries()) {
    const { queue_id, last_event_id } = queues[i]!
    const got: number[] = []
    let position = last_event_id
    await eventually(`node ${i} has all`, async () => {
      for (const event of await read(reader, queue_id, position)) {
        assert.ok(event.id > position)
        position = event.id
        if (event.type === 'message') got.push(event.message.id)
      }
      return got.length >= 90
    })
    assert.deepEqual(got, sent)
  }
})

test('a permission revoked at one node is gone at the others before they write', needsServer, async () => {
  await using c = await cluster(2, { streams: { secret: { members: ['iago', 'hamlet'], private: true } } })
  const [iago, hamlet] = [await c.at(0, 'iago'), await c.at(1, 'hamlet')]
  const send = () => sendMessage(hamlet, { type: 'stream', to: 'secret', topic: 't', content: 'x' })
  await send()
  await unsubscribe(iago, { subscriptions: ['secret'], principals: [hamlet.user.id] })
  await assert.rejects(send(), { code: 'STREAM_DOES_NOT_EXIST' })
  await subscribe(iago, { subscriptions: [{ name: 'secret' }], principals: [hamlet.user.id] })
  await send()
})

test('rejects a deactivated user at the next write on any node', needsServer, async () => {
  await using c = await cluster(2)
  const [iago, hamlet] = [await c.at(0, 'iago'), await c.at(1, 'hamlet')]
  await say(hamlet, 'one')
  const { deactivateUser } = await import('../../src/index.ts')
  await deactivateUser(iago, { user_id: hamlet.user.id })
  await assert.rejects(say(hamlet, 'two'), { code: 'USER_DEACTIVATED' })
})

test('shares typing between nodes without storing it', needsServer, async () => {
  await using c = await cluster(2)
  const [hamlet, cordelia] = [await c.at(0, 'hamlet'), await c.at(1, 'cordelia')]
  const { queue_id, last_event_id } = await register(cordelia, { event_types: ['typing', 'message'] })
  await setTyping(hamlet, { op: 'start', to: [cordelia.user.id] })
  await say(hamlet, 'there')
  await setTyping(hamlet, { op: 'stop', to: [cordelia.user.id] })
  const types: string[] = []
  let position = last_event_id
  await eventually('three events', async () => {
    for (const event of await read(cordelia, queue_id, position)) {
      position = event.id
      types.push(event.type)
    }
    return types.length >= 3
  })
  assert.deepEqual(types, ['typing', 'message', 'typing'])
})

test("a node that starts after typing began reads the others' events", needsServer, async () => {
  await using c = await cluster(1)
  const [hamlet, cordelia] = [await c.at(0, 'hamlet'), await c.at(0, 'cordelia')]
  // Reserves ids for events that are not stored, more than are used.
  await setTyping(hamlet, { op: 'start', to: [cordelia.user.id] })
  const { queue_id, last_event_id } = await register(cordelia, { event_types: ['message'] })
  const there = await c.at(await c.add(), 'cordelia')
  const polled = getEvents(there, { queue_id, last_event_id })
  const { id } = await say(hamlet, 'hello')
  const idsOf = (events: Awaited<ReturnType<typeof read>>) =>
    events.map((event) => event.type === 'message' && event.message.id)
  assert.deepEqual(idsOf((await polled).events), [id])
  // The first write of a node passes over what is reserved.
  const { id: next } = await say(await c.at(1, 'hamlet'), 'hello again')
  const { id: last } = await say(hamlet, 'and again')
  assert.deepEqual(idsOf(await read(there, queue_id, last_event_id)), [id, next, last])
  assert.deepEqual(idsOf(await read(cordelia, queue_id, last_event_id)), [id, next, last])
})

test('the newest poll of a queue wins across nodes', needsServer, async () => {
  await using c = await cluster(2)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const { queue_id, last_event_id } = await register(here, { event_types: ['message'] })
  const poll = (who: Caller) => getEvents(who, { queue_id, last_event_id })
  /** Whether it waits: what would end it has had its time. */
  const waits = (polled: Promise<unknown>) => Promise.race([polled.then(() => false), delay(100, true)])
  const waiting = (node: number) => eventually('a poll waits', () => busOf(c.nodes[node]!).waiting() === 1)
  let received = 0
  gossipOf(c.nodes[1]!)!.on('test', () => void received++)
  const first = poll(here)
  await waiting(0)
  c.w.clock.advance(50)
  // What a node says arrives in order.
  gossipOf(c.nodes[0]!)!.say('test', [1])
  await eventually('the other node has received it', () => received === 1)
  const second = poll(there)
  await waiting(1)
  assert.ok(await waits(first), 'not before it was said')
  c.w.clock.advance(50)
  assert.deepEqual((await first).events, [])
  assert.ok(await waits(second))
  const third = poll(there)
  assert.deepEqual((await second).events, [], 'at one node at once')
  const fourth = poll(here)
  await waiting(0)
  c.w.clock.advance(50)
  assert.deepEqual((await third).events, [], 'and back')
  const { id } = await say(await c.at(1, 'cordelia'), 'hello')
  assert.deepEqual(
    (await fourth).events.map((event) => event.type === 'message' && event.message.id),
    [id],
  )
})

test('deleting a queue at one node ends its poll at another', needsServer, async () => {
  await using c = await cluster(2)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const { queue_id, last_event_id } = await register(here, { event_types: ['message'] })
  const polled = getEvents(there, { queue_id, last_event_id })
  const isRefused = assert.rejects(polled, { code: 'BAD_EVENT_QUEUE_ID' })
  await eventually('the poll waits', () => busOf(c.nodes[1]!).waiting() === 1)
  await deleteQueue(here, { queue_id })
  await isRefused
})

test('other nodes see a change within a second', needsServer, async () => {
  await using c = await cluster(2)
  const [here, there] = [await c.at(0, 'iago'), await c.at(1, 'iago')]
  await updateUser(here, { user_id: (await c.at(0, 'hamlet')).user.id, full_name: 'The Prince' })
  const named = () => c.at(1, 'hamlet').then(({ user }) => user.full_name === 'The Prince')
  // And what a busy machine takes.
  await eventually('the new name', named, 10)
  await say(here, 'found at once')
  const { messages } = await getMessages(there, { anchor: 'newest', num_before: 1, num_after: 0, narrow: [] })
  assert.match(messages[0]!.content, /found at once/)
})

test('one node runs the singleton tasks, and another takes over when it stops', needsServer, async () => {
  await using c = await cluster(3)
  const leading = () => c.nodes.flatMap((node, i) => (leads(node) ? [i] : []))
  assert.deepEqual(leading(), [0])
  const hamlet = await c.at(1, 'hamlet')
  const due = Math.floor(c.w.clock.now() / 1000) + 60
  await sendMessage(hamlet, { type: 'stream', to: 'general', topic: 'later', content: 'due', deliver_at: String(due) })
  await c.nodes[0]!.close()
  await eventually('one leads', () => leading().length === 1)
  c.w.clock.advance(61_000)
  const cordelia = await c.at(2, 'cordelia')
  await eventually('the message is sent', async () => {
    const { messages } = await getMessages(cordelia, { anchor: 'newest', num_before: 5, num_after: 0, narrow: [] })
    return messages.filter(({ content }) => content.includes('due')).length === 1
  })
})

test('the sending node resumes when another reactivates the organization', needsServer, async () => {
  await using c = await cluster(2)
  assert.ok(leads(c.nodes[0]!))
  const [owner, hamlet, cordelia] = [await c.at(1, 'iago'), await c.at(1, 'hamlet'), await c.at(1, 'cordelia')]
  const due = Math.floor(c.w.clock.now() / 1000) + 60
  await sendMessage(hamlet, { type: 'stream', to: 'general', topic: 'later', content: 'due', deliver_at: String(due) })
  await deactivateOrganization(owner, {})
  const isOpen = () => organizationIsOpen.get(contextOf(c.nodes[0]!))
  await eventually('the organization is closed', async () => !(await isOpen()))
  c.w.clock.advance(61_000)
  await schedulerOf(c.nodes[0]!).settled()
  await reactivateOrganization(contextOf(c.nodes[1]!))
  const narrow = [{ operator: 'topic', operand: 'later' }]
  await eventually('the message is sent', async () => {
    const { messages } = await getMessages(cordelia, { anchor: 'newest', num_before: 5, num_after: 0, narrow })
    return messages.some(({ content }) => content.includes('due'))
  })
})

test('all nodes share one rate limit', needsServer, async () => {
  await using c = await cluster(3)
  const { hamlet } = c.w.people
  const apps = c.nodes.map((chat) => createApp({ chat, rateLimits: { user: { requests: 60, seconds: 3600 } } }))
  const ask = (node: number) =>
    apps[node]!.fetch(
      new Request('http://chat.test/api/v1/users/me', { headers: { authorization: hamlet.authorization } }),
    )
  for (let i = 0; i < 60; i++) assert.equal((await ask(0)).status, 200)
  c.w.clock.advance(100)
  // Messages of a node arrive in order, so those with its counts have come before this one.
  const arrived = [1, 2].map(
    (node) => new Promise<void>((resolve) => gossipOf(c.nodes[node]!)!.on('marker', () => resolve())),
  )
  gossipOf(c.nodes[0]!)!.say('marker', [1])
  await Promise.all(arrived)
  // Without its counts each node would pass 60 of its own.
  for (const node of [0, 1, 2]) assert.equal((await ask(node)).status, 429)
})

test('the node that leads undoes an import for another node', needsServer, async () => {
  await using c = await cluster(2)
  const follower = c.nodes.findIndex((node) => !leads(node))
  const owner = await c.at(follower, 'iago')
  const import_id = 1
  await contextOf(c.w.chat).write(({ db }) =>
    db
      .insertInto('import')
      .values({
        ...{ id: import_id, source: 'jsonl', file: 'x', fingerprint: 'x', options: '', started_at: 1, finished_at: 2 },
        ...{ undone_at: null, first_message_id: 1000, last_message_id: 999, messages_done: 0, report: null },
      })
      .execute(),
  )
  await undoImport(owner, { import_id })
  await eventually(
    'the import is undone',
    async () => {
      c.w.clock.advance(5000)
      return (await listImports(owner, {})).job === null
    },
    8,
  )
})
