import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import {
  getMessages,
  register,
  sendMessage,
  subscribe,
  unsubscribe,
  updateOrganization,
  updateStream,
} from '../../src/index.ts'
import { eventually } from '../eventually.ts'
import { appendTogether, say, sendHeld, waitForTurns } from './appending.ts'
import { cluster, needsServer } from './nodes.ts'

test('a send that is repeated on another node while the first is open is one message', needsServer, async (t) => {
  await using c = await cluster(2)
  await appendTogether(t, c)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const { queue_id } = await register(here, { event_types: ['message'] })
  const once = { queue_id, local_id: '17.01' }
  const first = sendHeld(here, 'Once.', once)
  await first.begun
  const repeated = say(there, 'Once.', once)
  await waitForTurns(c, 1)
  first.release()
  assert.equal(await repeated, await first.sent)
  const narrow = [{ operator: 'topic', operand: 'plans' }]
  const { messages } = await getMessages(here, { anchor: 'newest', num_before: 50, num_after: 0, narrow })
  assert.equal(messages.filter(({ content }) => content.includes('Once.')).length, 1)
})

test('sends repeated at the same time, in one group and on two nodes, are one message', needsServer, async (t) => {
  await using c = await cluster(2)
  const appending = await appendTogether(t, c)
  const people = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const { queue_id } = await register(people[0]!, { event_types: ['message'] })
  const before = appending.count
  const sent = await Promise.all(
    Array.from({ length: 24 }, (_, i) => say(people[i % 2]!, `Once ${i % 4}.`, { queue_id, local_id: `18.0${i % 4}` })),
  )
  assert.ok(appending.count > before)
  assert.equal(new Set(sent).size, 4)
})

test('a message that must wait for approval is held once, whichever nodes it is sent to', needsServer, async (t) => {
  await using c = await cluster(2)
  await appendTogether(t, c)
  const { queue_id } = await register(await c.at(0, 'cordelia'), { event_types: ['message'] })
  await updateOrganization(await c.at(0, 'iago'), { hold_first_messages: 3 })
  const people = [await c.at(0, 'cordelia'), await c.at(1, 'cordelia')]
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, i) => say(people[i % 2]!, `Wait ${i % 3}.`, { queue_id, local_id: `19.0${i % 3}` })),
  )
  const held = results.map((result) => (result.status === 'rejected' ? result.reason.data?.held_message_id : undefined))
  assert.ok(held.every(Number.isInteger))
  assert.equal(new Set(held).size, 3)
  const { db } = storeOf(c.w.chat)
  assert.equal((await db.selectFrom('held_message').select('id').execute()).length, 3)
})

test('a send with the same Idempotency-Key on two nodes is one message', needsServer, async (t) => {
  await using c = await cluster(2)
  await appendTogether(t, c)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const keyed = (who: typeof here, i: number) => say({ ...who, idempotencyKey: `key ${i}` }, `Once ${i}.`)
  for (let i = 0; i < 10; i++) {
    const [one, two] = await Promise.all([keyed(here, i), keyed(there, i), say(here, 'Meanwhile.')])
    assert.equal(one, two)
  }
})

test('one of two simultaneous sends on two nodes waits in slow mode', needsServer, async (t) => {
  await using c = await cluster(2, { streams: { slow: { members: ['iago', 'hamlet'] } } })
  await appendTogether(t, c)
  const iago = await c.at(0, 'iago')
  const { id: stream_id } = await storeOf(c.w.chat)
    .db.selectFrom('stream')
    .select('id')
    .where('name', '=', 'slow')
    .executeTakeFirstOrThrow()
  await updateStream(iago, { stream_id, slow_mode_seconds: 60 })
  const people = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  for (let i = 0; i < 5; i++) {
    c.w.clock.advance(61_000)
    const sends = people.map((who) => sendMessage(who, { type: 'stream', to: 'slow', topic: 't', content: `${i}` }))
    const results = await Promise.allSettled(sends)
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const failed = results.find((result) => result.status === 'rejected')
    assert.equal(failed?.reason.code, 'SLOW_MODE')
  }
})

test('no message is sent to a channel after its sender was removed on another node', needsServer, async (t) => {
  await using c = await cluster(3, { streams: { secret: { members: ['iago', 'hamlet'], private: true } } })
  const appending = await appendTogether(t, c)
  const iago = await c.at(0, 'iago')
  const people = [await c.at(1, 'hamlet'), await c.at(2, 'hamlet')]
  const send = (i: number) =>
    sendMessage(people[i % 2]!, { type: 'stream', to: 'secret', topic: 't', content: `Number ${i}` })
  await send(0)
  const { db } = storeOf(c.w.chat)
  for (let round = 0; round < 5; round++) {
    const count = appending.count
    const sends = Array.from({ length: 40 }, (_, i) => send(i))
    await sends[0]
    await unsubscribe(iago, { subscriptions: ['secret'], principals: [people[0]!.user.id] })
    const settled = await Promise.allSettled([...sends, send(0)])
    assert.ok(appending.count > count)
    assert.equal(settled.at(-1)!.status, 'rejected')
    const period = await db
      .selectFrom('subscription_period')
      .select(['to_message_id', 'stream_id'])
      .where('user_id', '=', people[0]!.user.id)
      .where('to_message_id', 'is not', null)
      .orderBy('to_message_id', 'desc')
      .executeTakeFirstOrThrow()
    const sent = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []))
    assert.ok(Math.max(...sent) < period.to_message_id!)
    await subscribe(iago, { subscriptions: [{ name: 'secret' }], principals: [people[0]!.user.id] })
  }
})

test('a search includes new messages while another node has an open one', needsServer, async (t) => {
  await using c = await cluster(2)
  await appendTogether(t, c)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const found = async (word: string) => {
    const narrow = [{ operator: 'search', operand: word }]
    const { messages } = await getMessages(there, { anchor: 'newest', num_before: 50, num_after: 0, narrow })
    return messages.map(({ id }) => id)
  }
  const before = await say(here, 'An elephant before.')
  const open = sendHeld(here, 'An elephant that is open.')
  const openId = await open.begun
  assert.deepEqual(await found('elephant'), [before])
  open.release()
  await open.sent
  // A node learns of it a moment later.
  await eventually('it is found', async () => (await found('elephant')).includes(openId))
  const after = await Promise.all([say(here, 'An elephant here.'), say(there, 'An elephant there.')])
  const all = [before, openId, ...after.sort((a, b) => a - b)]
  await eventually('all are found', async () => (await found('elephant')).length >= all.length)
  assert.deepEqual(await found('elephant'), all)
})

test('mentions, first messages of topics and unread counts are right while nodes append', needsServer, async (t) => {
  await using c = await cluster(3)
  await appendTogether(t, c)
  const people = await Promise.all([0, 1, 2].map((node) => c.at(node, 'hamlet')))
  const cordelia = await c.at(0, 'cordelia')
  const before = (await register(cordelia, { event_types: ['message'] })).unread_msgs!
  const sent = await Promise.all(
    Array.from({ length: 90 }, (_, i) =>
      sendMessage(people[i % 3]!, {
        type: 'stream',
        to: 'general',
        topic: `topic ${i % 7}`,
        content: i % 9 ? `Number ${i}` : '@**cordelia** look',
      }),
    ),
  )
  const after = (await register(cordelia, { event_types: ['message'] })).unread_msgs!
  assert.equal(after.count - before.count, 90)
  assert.equal(after.mentions.length - before.mentions.length, 10)
  const topics = after.streams.filter(({ topic }) => topic.startsWith('topic '))
  assert.equal(topics.length, 7)
  assert.deepEqual(
    topics.flatMap(({ unread_message_ids }) => unread_message_ids).sort((a, b) => a - b),
    sent.map(({ id }) => id).sort((a, b) => a - b),
  )
})
