import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { set } from '../messages/listen.ts'
import { topicOf } from '../messages/notices/read.ts'

const createChannel = (who: Person, params: Readonly<Record<string, unknown>>) =>
  who.api.post('/channels/create', { subscribers: [], ...params })

const direct = async (who: Person) => {
  const window = { anchor: 'newest', num_before: 50, num_after: 0, narrow: [['is', 'dm']] }
  return (await who.api.get('/messages', window)).messages.length
}

const stream = async ({ people }: World, id: number) => (await people.iago.api.get(`/streams/${id}`)).stream

test('creates a channel for listed people only, and tells nobody by direct message', async () => {
  await using w = await world({ streams: { news: { members: ['iago'] } } })
  const { iago, hamlet, cordelia } = w.people
  await set(w, 'new_stream_announcements_stream_id', await w.streamId('news'))
  const before = await direct(cordelia)
  const folder = (await iago.api.post('/channel_folders/create', { name: 'Work', description: '' })).channel_folder_id
  const asked = { name: ' court ', subscribers: [cordelia.id], description: 'Law', announce: true, folder_id: folder }
  let id = 0
  await verifyEvents([iago, hamlet, cordelia], async () => {
    id = (await createChannel(hamlet, asked)).id
  })
  const { name, description, subscriber_count, creator_id, folder_id } = await stream(w, id)
  assert.deepEqual([name, description, subscriber_count], ['court', 'Law', 1])
  assert.deepEqual([creator_id, folder_id], [hamlet.id, folder])
  assert.deepEqual((await iago.api.get(`/streams/${id}/members`)).subscribers, [cordelia.id])
  assert.equal(await direct(cordelia), before)
  assert.equal((await topicOf(hamlet, 'court', 'channel events')).length, 1)
  assert.match((await topicOf(iago, 'news', 'new channels'))[0]!, /created a new channel #\*\*court\*\*/)
})

test('creates a channel without subscribers, and posts nothing there', async () => {
  await using w = await world()
  const { id } = await createChannel(w.people.hamlet, { name: 'court' })
  const { subscriber_count, first_message_id } = await stream(w, id)
  assert.deepEqual([subscriber_count, first_message_id], [0, null])
})

test('explains why a channel cannot be created, and creates none', async () => {
  await using w = await world({ streams: { crypt: { private: true, members: ['iago'] } } })
  const { iago, hamlet, polonius } = w.people
  const before = (await iago.api.get('/streams', { include_all: true })).streams.length
  for (const name of ['General', 'crypt']) {
    const { status, code, msg, channel_name } = await createChannel(hamlet, { name })
    const exists = `Channel '${name}' already exists`
    assert.deepEqual([status, code, msg, channel_name], [409, 'CHANNEL_ALREADY_EXISTS', exists, name])
  }
  const refused: readonly (readonly [who: Person, params: Readonly<Record<string, unknown>>, msg: string])[] = [
    [polonius, {}, 'Not allowed for guest users'],
    [hamlet, { name: ' ' }, "Stream name can't be empty."],
    [hamlet, { subscribers: [9999] }, "User not authorized to execute queries on behalf of '9999'"],
    [hamlet, { folder_id: 99 }, 'Invalid channel folder ID'],
    [hamlet, { message_retention_days: 9 }, 'Must be an organization owner'],
    [hamlet, { is_default_stream: true }, 'Must be an organization administrator'],
    [hamlet, { invite_only: true, is_web_public: true }, 'Invalid parameters'],
  ]
  for (const [who, params, msg] of refused) {
    assert.equal((await createChannel(who, { name: 'court', ...params })).msg, msg)
  }
  assert.equal((await hamlet.api.post('/channels/create', { name: 'court' })).msg, "Missing 'subscribers' argument")
  assert.equal((await iago.api.get('/streams', { include_all: true })).streams.length, before)
})

test('subscribing people tells them by direct message only where that is asked for and they are not too many', async () => {
  const crowd = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`extra${i}`, {}]))
  await using w = await world({ people: crowd, streams: { hall: {}, yard: {}, tower: {} } })
  const { iago, hamlet } = w.people
  const everyone = Object.keys(crowd).map((name) => w.person(name).id)
  const add = (name: string, principals: readonly number[], params = {}) =>
    iago.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...params })
  const one = w.person('extra0')
  const welcomed = await direct(one)
  assert.equal((await add('hall', [hamlet.id, one.id])).new_subscription_messages_sent, true)
  const notified = await direct(one)
  assert.equal(notified, welcomed + 1)
  const silent = await add('yard', [one.id], { send_new_subscription_messages: false })
  assert.ok(!('new_subscription_messages_sent' in silent))
  assert.equal((await add('tower', everyone)).new_subscription_messages_sent, false)
  assert.equal(await direct(one), notified)
  const state = await iago.api.post('/register', { fetch_event_types: ['realm'] })
  assert.equal(state.max_bulk_new_subscription_messages, 100)
})

test('takes a request for partial lists of subscribers, and answers whole ones', async () => {
  await using w = await world({ streams: { hall: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const subscribers = async (include_subscribers: unknown) => {
    const lists = [
      (await hamlet.api.post('/register', { fetch_event_types: ['subscription'], include_subscribers })).subscriptions,
      (await hamlet.api.get('/users/me/subscriptions', { include_subscribers })).subscriptions,
    ]
    return lists.map((list) => list?.find(({ name }: { name: string }) => name === 'hall').subscribers)
  }
  const both = [iago.id, hamlet.id]
  for (const value of ['partial', '"partial"', true]) assert.deepEqual(await subscribers(value), [both, both])
  assert.deepEqual(await subscribers(false), [undefined, undefined])
  const { msg } = await hamlet.api.get('/users/me/subscriptions', { include_subscribers: 'some' })
  assert.equal(msg, 'include_subscribers must be true, false or "partial"')
})
