import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { addCrowd } from '../crowd.ts'
import { eventually } from '../eventually.ts'
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

test('answers whole lists of the subscribers of small streams', async () => {
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

test('answers partial lists of the subscribers of large streams', async () => {
  await using w = await world({ streams: { small: { members: ['iago', 'hamlet', 'cordelia'] }, large: {} } })
  const { iago, hamlet, cordelia } = w.people
  const absent = await addCrowd(cordelia, 250)
  const { user_id: bot } = await hamlet.api.post('/bots', { full_name: 'Skull', short_name: 'skull' })
  const principals = [...absent, iago.id, hamlet.id, cordelia.id, bot]
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'large' }], principals })
  w.clock.advance(15 * 86_400_000)
  await cordelia.api.post('/users/me/presence', { status: 'active' })
  w.clock.advance(10 * 86_400_000)
  await hamlet.api.post('/users/me/presence', { status: 'idle' })
  // A large organization writes presence with a delay.
  w.clock.advance(1000)
  const present = () => storeOf(w.chat).db.selectFrom('presence').select('user_id').execute()
  await eventually('presence is written', async () => (await present()).length === 2)
  const lists = async (include_subscribers: unknown) => {
    const both = [
      (await hamlet.api.post('/register', { fetch_event_types: ['subscription'], include_subscribers })).subscriptions,
      (await hamlet.api.get('/users/me/subscriptions', { include_subscribers })).subscriptions,
    ]
    return both.map((list) =>
      ['large', 'small'].map((requested) => {
        const { subscribers, partial_subscribers } = list.find(({ name }: { name: string }) => name === requested)
        return { subscribers, partial_subscribers }
      }),
    )
  }
  const whole = (subscribers: number[]) => ({ subscribers, partial_subscribers: undefined })
  const small = whole([iago.id, hamlet.id, cordelia.id])
  for (const shown of await lists('partial')) {
    const [large, other] = shown
    assert.equal(large!.subscribers, undefined)
    assert.deepEqual(other, small)
    assert.deepEqual(large!.partial_subscribers, [hamlet.id, cordelia.id, bot])
  }
  const everyone = whole(principals.sort((a, b) => a - b))
  for (const shown of await lists(true)) assert.deepEqual(shown, [everyone, small])
})
