import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { conversationsWithUnread } from '../../src/core/read-state/unread-conversations.ts'
import { newestUnread, unreadOf } from '../../src/core/read-state/unread-list.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { plansWhile } from '../messages/plans.ts'

const unread = async (who: Person, more: object = {}) =>
  (await who.api.post('/register', { fetch_event_types: ['update_message_flags'], ...more })).unread_msgs

test('lists unread messages by topic and conversation', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  await hamlet.api.post('/mark_all_as_read')
  const stream_id = await w.streamId('general')
  const first = await iago.says('1', { topic: 'a' })
  const nameless = await iago.says('2', { topic: '' })
  const direct = await iago.says('3', { people: [hamlet] })
  const several = await iago.says('@**hamlet**', { people: [hamlet, cordelia] })
  const second = await iago.says('@**all** 5', { topic: 'a' })
  assert.deepEqual(await unread(hamlet), {
    count: 5,
    pms: [{ other_user_id: iago.id, sender_id: iago.id, unread_message_ids: [direct.id] }],
    streams: [
      { stream_id, topic: 'a', unread_message_ids: [first.id, second.id] },
      { stream_id, topic: 'general chat', unread_message_ids: [nameless.id] },
    ],
    huddles: [{ user_ids_string: `${iago.id},${hamlet.id},${cordelia.id}`, unread_message_ids: [several.id] }],
    mentions: [several.id, second.id],
    old_unreads_missing: false,
  })
  const modern = await unread(hamlet, { client_capabilities: { empty_topic_name: true } })
  assert.equal(modern.streams[1].topic, '')
})

test('excludes own messages, unreceived messages and unsubscribed streams from unread', async () => {
  await using w = await world({ streams: { late: {} } })
  const { iago, hamlet } = w.people
  await hamlet.api.post('/mark_all_as_read')
  await hamlet.says('mine')
  await iago.says('before', { stream: 'late' })
  await hamlet.joins('late')
  const received = await iago.says('after', { stream: 'late' })
  assert.deepEqual(await newestUnread(hamlet, 10).then((list) => list.map((m) => m.id)), [received.id])
  await hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['late'] })
  assert.equal((await unread(hamlet)).count, 0)
  await hamlet.joins('late')
  assert.equal((await unread(hamlet)).count, 0)
})

test('messages written without a subscription are never unread', async () => {
  await using w = await world({ streams: { other: {} } })
  const { hamlet } = w.people
  await hamlet.api.post('/mark_all_as_read')
  const say = (to: string) =>
    hamlet.api.post('/messages', { type: 'stream', to, topic: 't', content: 'mine', read_by_sender: false })
  const here = await say('general')
  const elsewhere = await say('other')
  assert.deepEqual(await newestUnread(hamlet, 10).then((list) => list.map((m) => m.id)), [here.id])
  await hamlet.api.post('/messages/flags', { messages: [here.id, elsewhere.id], op: 'remove', flag: 'read' })
  assert.equal((await unread(hamlet)).count, 1)
})

test('lists the newest unread messages however old they are', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await hamlet.api.post('/mark_all_as_read')
  const old = await iago.says('long ago')
  // Unused ids represent messages of others in between.
  const { id: _, ...copy } = await storeOf(w.chat)
    .db.selectFrom('message')
    .selectAll()
    .where('id', '=', old.id)
    .executeTakeFirstOrThrow()
  await storeOf(w.chat).write(({ db }) =>
    db
      .insertInto('message')
      .values({ ...copy, id: 3_000_000 })
      .execute(),
  )
  assert.deepEqual(
    (await newestUnread(hamlet, 10)).map((m) => m.id),
    [3_000_000, old.id],
  )
  assert.deepEqual(
    (await newestUnread(hamlet, 1)).map((m) => m.id),
    [3_000_000],
  )
})

test('finding unread messages scans no entire message table', onlyOnSqlite('looks at its query plans'), async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await iago.says('hello')
  const plans = await plansWhile(async () => {
    await newestUnread(hamlet, 100)
    await unreadOf(hamlet, { conversation_ids: [await w.streamId('general')] })
    await conversationsWithUnread(hamlet)
    await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await hamlet.api.post('/mark_all_as_read')
  })
  assert.ok(plans.some((step) => /message USING .*INDEX message_conversation/.test(step)))
  assert.deepEqual(
    plans.filter((step) => /^SCAN (message|read_range|event)\b/.test(step)),
    [],
  )
})
