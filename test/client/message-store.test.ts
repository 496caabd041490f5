import assert from 'node:assert/strict'
import { test } from 'node:test'
import { live } from '../../src/client/live/live.ts'
import { messageStore } from '../../src/client/messages/message-store.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { type World, world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'
import { lineTo, until } from './line.ts'

/** Hamlet's messages, live. */
async function reading(w: World) {
  const line = lineTo(w, w.people.hamlet)
  const session = live(line.client, { timers: manualClock(), random: () => 0 })
  const store = messageStore(line.client, session)
  await session.ready()
  return {
    ...line,
    line,
    session,
    store,
    general: await w.streamId('general'),
    /** Has taken in all that has happened. */
    async caughtUp() {
      const { id } = await w.people.iago.says('now', { people: [w.people.hamlet] })
      await until(session, () => session.state!.max_message_id >= id)
    },
  }
}
const channel = (operand: number) => [{ operator: 'channel', operand }]
const topic = (stream: number, name: string) => [...channel(stream), { operator: 'topic', operand: name }]

test('merges windows that meet and appends new messages', async () => {
  await using w = await world()
  const { iago } = w.people
  const said: number[] = []
  for (let i = 0; i < 10; i++) said.push((await iago.says(`${i}`)).id)
  const { store, general, caughtUp, session } = await reading(w)
  const feed = store.feed(topic(general, 'Greetings'))
  const late = await feed.load({ anchor: 'newest', before: 3, after: 0 })
  assert.deepEqual(late.span.ids, said.slice(-3))
  const early = await feed.load({ anchor: said[1]!, before: 0, after: 2 })
  assert.deepEqual(early.span.ids, said.slice(1, 4))
  assert.equal(feed.spans.length, 2)
  const middle = await feed.load({ anchor: said[3]!, before: 0, after: 5 })
  assert.deepEqual(middle.span.ids, said.slice(1))
  assert.equal(feed.spans.length, 1)
  const { id } = await iago.says('new')
  await iago.says('elsewhere', { topic: 'other' })
  await caughtUp()
  assert.deepEqual(feed.spans[0]!.ids, [...said.slice(1), id])
  assert.match(store.get(id)!.content, /new/)
  assert.equal(feed, store.feed(topic(general, 'Greetings')))
  await session.stop()
})

test('applies edits, moves, flags, reactions and deletions to messages and feeds', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id: one } = await iago.says('one', { topic: 'a' })
  const { id: two } = await iago.says('two', { topic: 'a' })
  const { id: three } = await iago.says('three', { topic: 'b' })
  const { store, general, caughtUp, session } = await reading(w)
  const a = store.feed(topic(general, 'a'))
  const b = store.feed(topic(general, 'b'))
  const starred = store.feed([{ operator: 'is', operand: 'starred' }])
  for (const feed of [a, starred]) await feed.load({ anchor: 'newest', before: 10, after: 0 })
  await b.load({ anchor: 'newest', before: 10, after: 0 })
  const changed = new Set<number>()
  store.onChange(({ messages }) => {
    for (const id of messages) changed.add(id)
  })
  await iago.api.patch(`/messages/${two}`, { content: '*changed*' })
  await iago.api.patch(`/messages/${one}`, { topic: 'b', propagate_mode: 'change_one' })
  await hamlet.api.post('/messages/flags', { messages: [three], op: 'add', flag: 'starred' })
  await iago.api.post(`/messages/${three}/reactions`, { emoji_name: 'tada' })
  await caughtUp()
  assert.match(store.get(two)!.content, /<em>changed<\/em>/)
  assert.equal(store.get(one)!.subject, 'b')
  assert.ok(!a.spans.at(-1)!.ids.includes(one))
  assert.ok(b.spans.at(-1)!.ids.includes(one))
  assert.deepEqual(starred.spans[0]!.ids, [three])
  assert.equal(store.get(three)!.reactions.length, 1)
  for (const id of [one, two, three]) assert.ok(changed.has(id))
  await iago.api.delete(`/messages/${three}`)
  await caughtUp()
  assert.equal(store.get(three), undefined)
  assert.deepEqual(starred.spans[0]!.ids, [])
  await session.stop()
})

test('fetches a message that is moved or starred into view without having been loaded', async () => {
  await using w = await world()
  const { iago } = w.people
  const { id } = await iago.says('moved', { topic: 'a' })
  const { store, general, session } = await reading(w)
  const b = store.feed(topic(general, 'b'))
  await b.load({ anchor: 'newest', before: 10, after: 0 })
  await iago.api.patch(`/messages/${id}`, { topic: 'b', propagate_mode: 'change_all' })
  await new Promise<void>((resolve) => {
    store.onChange(() => b.spans[0]!.ids.includes(id) && resolve())
  })
  assert.match(store.get(id)!.content, /moved/)
  await session.stop()
})

test('updates names, avatars, polls and removed reactions of shown messages', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await iago.says('/poll Where?', { topic: 'a' })
  const { store, general, caughtUp, session } = await reading(w)
  await store.feed(channel(general)).load({ anchor: 'newest', before: 10, after: 0 })
  await iago.api.post('/submessage', {
    message_id: id,
    msg_type: 'widget',
    content: '{"type":"new_option","idx":1,"option":"Rome"}',
  })
  await hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await hamlet.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await iago.api.patch(`/streams/${general}`, { new_name: 'hall' })
  await iago.api.patch('/settings', { full_name: 'Honest Iago' })
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'starred' })
  await iago.api.patch(`/messages/${id}`, { content: '/me thinks' })
  await caughtUp()
  const shown = store.get(id)!
  assert.equal(shown.display_recipient, 'hall')
  assert.equal(shown.sender_full_name, 'Honest Iago')
  assert.deepEqual(shown.reactions, [])
  assert.ok(!shown.flags.includes('starred'))
  assert.ok(shown.submessages.length > 0)
  await hamlet.api.post('/mark_all_as_read')
  await caughtUp()
  assert.ok(store.get(id)!.flags.includes('read'))
  await session.stop()
})

test('leaves search matches to the server', async () => {
  await using w = await world()
  const { iago } = w.people
  const { id: first } = await iago.says('a rare orchid')
  const { store, session } = await reading(w)
  const found = store.feed([{ operator: 'search', operand: 'orchid' }])
  await found.load({ anchor: 'newest', before: 10, after: 0 })
  assert.deepEqual(found.spans[0]!.ids, [first])
  const { id: second } = await iago.says('another orchid')
  await iago.says('a daisy')
  await new Promise<void>((resolve) => {
    store.onChange(() => found.spans[0]!.ids.includes(second) && resolve())
  })
  assert.deepEqual(found.spans[0]!.ids, [first, second])
  await session.stop()
})

test("doesn't query the server for an abandoned search, and resumes it when loaded", async () => {
  await using w = await world()
  const { iago } = w.people
  const { id: first } = await iago.says('a rare orchid')
  const { client, session, line, caughtUp } = await reading(w)
  let isFollowed = true
  const store = messageStore(client, session, { isFollowed: () => isFollowed })
  const found = store.feed([{ operator: 'search', operand: 'orchid' }])
  await found.load({ anchor: 'newest', before: 10, after: 0 })
  const asked = () => line.requests.filter((request) => request.endsWith('/messages/matches_narrow')).length
  const { id: second } = await iago.says('another orchid')
  await new Promise<void>((resolve) => {
    store.onChange(() => found.spans[0]!.ids.includes(second) && resolve())
  })
  assert.ok(asked() > 0)
  isFollowed = false
  await caughtUp()
  const before = asked()
  const { id: third } = await iago.says('the last orchid')
  await caughtUp()
  assert.equal(asked(), before)
  const [left] = found.spans
  assert.deepEqual(left!.ids, [first, second])
  assert.ok(left!.to < third)
  await found.load({ anchor: second, before: 0, after: 10 })
  assert.deepEqual(found.spans, [{ from: 0, to: Number.POSITIVE_INFINITY, ids: [first, second, third] }])
  await session.stop()
})

test('finds messages that arrive while a search is loading', async () => {
  await using w = await world()
  const { iago } = w.people
  const { id: first } = await iago.says('a rare orchid')
  const { store, client, caughtUp, session } = await reading(w)
  const { getMessages } = client
  const said: number[] = []
  // The answer is made before these are sent, and comes after their events.
  const late = async (...args: Parameters<typeof getMessages>) => {
    const answer = await getMessages(...args)
    for (const text of ['another orchid', 'a daisy', 'no orchid any more']) said.push((await iago.says(text)).id)
    await iago.api.delete(`/messages/${said[2]}`)
    await caughtUp()
    return answer
  }
  Object.assign(client, { getMessages: late })
  const found = store.feed([{ operator: 'search', operand: 'orchid' }])
  await found.load({ anchor: 'newest', before: 10, after: 0 })
  await eventually('the second is found', () => found.spans[0]!.ids.includes(said[0]!))
  assert.deepEqual(found.spans[0]!.ids, [first, said[0]])
  await session.stop()
})

test('retries a failed query about a message together with the next one', async () => {
  await using w = await world()
  const { iago } = w.people
  const { store, line, caughtUp, session } = await reading(w)
  const found = store.feed([{ operator: 'search', operand: 'orchid' }])
  await found.load({ anchor: 'newest', before: 10, after: 0 })
  line.losing = '/matches_narrow'
  const { id: first } = await iago.says('a rare orchid')
  await caughtUp()
  await eventually('nothing is under way', () => line.underWay() === 0)
  assert.ok(line.lost.length > 0)
  assert.deepEqual(found.spans[0]!.ids, [])
  line.losing = undefined
  const { id: second } = await iago.says('another orchid')
  await eventually('both are found', () => found.spans[0]!.ids.length === 2)
  assert.deepEqual(found.spans[0]!.ids, [first, second])
  await session.stop()
})

test('retries a failed query about a message when back online', async () => {
  await using w = await world()
  const { iago } = w.people
  const { store, line, session } = await reading(w)
  const found = store.feed([{ operator: 'search', operand: 'orchid' }])
  await found.load({ anchor: 'newest', before: 10, after: 0 })
  line.losing = '/matches_narrow'
  const { id } = await iago.says('a rare orchid')
  await eventually('it was asked', () => line.lost.length > 0)
  line.cut = true
  session.retry()
  await until(session, () => session.connection.status === 'offline')
  Object.assign(line, { cut: false, losing: undefined })
  session.retry()
  await eventually('it is found', () => found.spans[0]!.ids.includes(id))
  await session.stop()
})

test('a fetched window includes what happened during the request', async () => {
  await using w = await world()
  const { iago } = w.people
  const { id: kept } = await iago.says('kept')
  const { id: deleted } = await iago.says('deleted')
  const reader = await reading(w)
  const { store, general, caughtUp, session } = reader
  const { getMessages } = reader.client
  let sent = 0
  // The answer is made before these happen, and comes after their events.
  const late = async (...args: Parameters<typeof getMessages>) => {
    const answer = await getMessages(...args)
    sent = (await iago.says('sent')).id
    await iago.api.delete(`/messages/${deleted}`)
    await caughtUp()
    return answer
  }
  Object.assign(reader.client, { getMessages: late })
  const { span } = await store.feed(channel(general)).load({ anchor: 'newest', before: 10, after: 0 })
  assert.deepEqual(
    span.ids.filter((id) => id >= kept),
    [kept, sent],
  )
  assert.equal(store.get(deleted), undefined)
  await session.stop()
})

test('discards cached state after the event queue expires', async () => {
  await using w = await world()
  const { store, general, session, client } = await reading(w)
  const feed = store.feed(channel(general))
  await feed.load({ anchor: 'newest', before: 10, after: 0 })
  assert.equal(feed.spans.length, 1)
  await client.deleteQueue({ queue_id: session.state!.queue_id })
  const before = session.state
  session.retry()
  await until(session, () => session.state !== before)
  assert.equal(feed.spans.length, 0)
  await session.stop()
})

test("discards a stream's cache when the user is subscribed or unsubscribed", async () => {
  await using w = await world({ streams: { verona: { members: ['iago'] } } })
  const { iago, hamlet } = w.people
  const verona = await w.streamId('verona')
  const says = async (content: string) => (await iago.says(content, { stream: 'verona', topic: 'feud' })).id
  const one = await says('one')
  const { store, general, session, client, caughtUp } = await reading(w)
  const feed = store.feed(topic(verona, 'feud'))
  const other = store.feed(channel(general))
  for (const each of [feed, other]) await each.load({ anchor: 'newest', before: 10, after: 0 })
  const two = await says('two')
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'verona' }] })
  await caughtUp()
  assert.deepEqual(feed.spans, [])
  assert.equal(other.spans.length, 1)

  await feed.load({ anchor: 'newest', before: 10, after: 0 })
  await hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['verona'] })
  await caughtUp()
  assert.deepEqual(feed.spans, [])

  // A window whose answer was made before is fetched again.
  const { getMessages } = client
  let three = 0
  const late = async (...args: Parameters<typeof getMessages>) => {
    const answer = await getMessages(...args)
    Object.assign(client, { getMessages })
    three = await says('three')
    await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'verona' }] })
    await caughtUp()
    return answer
  }
  Object.assign(client, { getMessages: late })
  const { span } = await feed.load({ anchor: 'newest', before: 10, after: 0 })
  assert.deepEqual(span.ids, [one, two, three])
  await session.stop()
})

test('caches the newest messages with their feeds and shows them again', async () => {
  await using w = await world()
  const { iago } = w.people
  const said: number[] = []
  for (let i = 0; i < 6; i++) said.push((await iago.says(`${i}`)).id)
  const { store, general, session, line } = await reading(w)
  const narrow = topic(general, 'Greetings')
  await store.feed(narrow).load({ anchor: 'newest', before: 10, after: 0 })
  const all = structuredClone(store.keep(100))
  const some = structuredClone(store.keep(2))
  await session.stop()
  const second = messageStore(line.client, live(line.client, { timers: manualClock(), random: () => 0 }))
  const feed = second.feed(narrow)
  second.restore(all)
  assert.deepEqual(feed.spans.at(-1)!.ids.slice(-6), said)
  assert.equal(feed.spans[0]!.from, 0)
  assert.match(second.get(said[0]!)!.content, /0/)
  // What is left out is not taken for something that is not there.
  assert.deepEqual(
    some.feeds.map(({ spans }) => spans),
    [[{ from: said[4], to: Number.POSITIVE_INFINITY, ids: said.slice(4) }]],
  )
})

test('asks for messages before register when a state is cached, without gaps between cached ones', async () => {
  await using w = await world()
  const { iago } = w.people
  await iago.says('kept')
  const { store, general, session, line } = await reading(w)
  const narrow = topic(general, 'Greetings')
  await store.feed(narrow).load({ anchor: 'newest', before: 10, after: 0 })
  const kept = structuredClone(store.keep(100))
  const state = structuredClone(session.state!)
  await session.stop()
  await iago.says('missed')
  const { id: newest } = await iago.says('newest')
  Object.assign(line, { requests: [], losing: '/register' })
  const again = live(line.client, { timers: manualClock(), random: () => 0 })
  const second = messageStore(line.client, again)
  second.restore(kept)
  again.restore(state)
  const feed = second.feed(narrow)
  await feed.load({ anchor: 'newest', before: 1, after: 0 })
  assert.equal(line.requests[0], 'GET /messages')
  assert.deepEqual(feed.spans, [{ from: newest, to: Number.POSITIVE_INFINITY, ids: [newest] }])
  await again.stop()
})

test('can cache only the part of a feed around the reading position', async () => {
  await using w = await world()
  const { iago } = w.people
  const said: number[] = []
  for (let i = 0; i < 10; i++) said.push((await iago.says(`${i}`)).id)
  await iago.says('elsewhere', { topic: 'other' })
  const { store, general, session } = await reading(w)
  const narrow = topic(general, 'Greetings')
  const feed = store.feed(narrow)
  await feed.load({ anchor: 'newest', before: 20, after: 0 })
  feed.readAt(said[5]!)
  const { messages, feeds } = store.keepFeed(narrow, 2)
  assert.deepEqual(
    messages.map(({ id }) => id),
    said.slice(3, 7),
  )
  assert.deepEqual(feeds, [{ narrow, spans: [{ from: said[3], to: said[6], ids: said.slice(3, 7) }] }])
  assert.deepEqual(store.keepFeed(channel(general), 2), { messages: [], feeds: [] })
  await session.stop()
})

test("doesn't request a window that is already loading", async () => {
  await using w = await world()
  const { store, general, session, line } = await reading(w)
  const feed = store.feed(channel(general))
  const window = { anchor: 'newest', before: 10, after: 0 } as const
  const [first, second] = await Promise.all([feed.load(window), feed.load({ ...window })])
  assert.equal(first, second)
  const asked = () => line.requests.filter((request) => request === 'GET /messages').length
  assert.equal(asked(), 1)
  await feed.load(window)
  assert.equal(asked(), 2)
  await session.stop()
})

test('reloads a window that was loading when the queue expired', async () => {
  await using w = await world()
  const { iago } = w.people
  const reader = await reading(w)
  const { store, general, session } = reader
  const { getMessages } = reader.client
  let sent = 0
  // The answer is made before the queue is lost, and comes after the new registration.
  const late = async (...args: Parameters<typeof getMessages>) => {
    const answer = await getMessages(...args)
    Object.assign(reader.client, { getMessages })
    const before = session.state!
    await reader.client.deleteQueue({ queue_id: before.queue_id })
    sent = (await iago.says('sent')).id
    session.retry()
    await until(session, () => session.state !== before)
    return answer
  }
  Object.assign(reader.client, { getMessages: late })
  const { span } = await store.feed(channel(general)).load({ anchor: 'newest', before: 10, after: 0 })
  assert.equal(span.ids.at(-1), sent)
  await session.stop()
})

test('keeps only nearby messages in memory over days of reading', async () => {
  await using w = await world()
  const { iago } = w.people
  const { client, session, general, caughtUp } = await reading(w)
  const store = messageStore(client, session, { mostKnown: 60 })
  const feed = store.feed(topic(general, 'Greetings'))
  const other = store.feed(channel(general))
  for (const one of [feed, other]) await one.load({ anchor: 'newest', before: 10, after: 0 })
  const said: number[] = []
  const says = async (count: number) => {
    for (let i = 0; i < count; i++) said.push((await iago.says(`line ${i}`)).id)
    await caughtUp()
  }
  await says(100)
  assert.ok(said.filter((id) => store.get(id)).length <= 60)
  const [span] = feed.spans
  assert.equal(span!.to, Number.POSITIVE_INFINITY)
  assert.equal(span!.from, span!.ids[0])
  assert.deepEqual(span!.ids.slice(-5), said.slice(-5))
  for (const id of span!.ids) assert.ok(store.get(id))

  // The messages around a reader who scrolled far back stay.
  const anchor = said[20]!
  await feed.load({ anchor, before: 10, after: 10 })
  feed.readAt(anchor)
  await says(100)
  assert.equal(feed.spans.length, 1)
  assert.deepEqual(feed.spans[0], { from: said[15], to: said[24], ids: said.slice(15, 25) })
  await session.stop()
})
