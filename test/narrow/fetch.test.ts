import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { markStreamAsRead } from '../../src/core/messages/mark-as-read.ts'
import { getMessages } from '../../src/core/narrow/fetch.ts'
import { subscribe } from '../../src/core/streams/subscriptions/subscribe.ts'
import { unsubscribe } from '../../src/core/streams/subscriptions/unsubscribe.ts'
import { type Person, world } from '../../src/testing/world.ts'

const NEWEST = 10_000_000_000_000_000
const idsOf = ({ messages }: { messages: readonly { id: number }[] }) => messages.map((message) => message.id)
const topic = [
  ['channel', 'general'],
  ['topic', 'numbers'],
]

/** Ten messages of hamlet in a topic, with others between them. */
async function ten() {
  const w = await world()
  const ids: number[] = []
  for (let i = 0; i < 10; i++) {
    ids.push((await w.people.hamlet.says(`number ${i}`, { topic: 'numbers' })).id)
    await w.people.cordelia.says('something else', { topic: 'other' })
  }
  const fetch = async (params: object, who: Person = w.people.iago) => {
    const { status, messages, anchor, found_anchor, found_oldest, found_newest, history_limited } = await who.api.get(
      '/messages',
      { narrow: topic, ...params },
    )
    assert.equal(status, 200)
    assert.equal(history_limited, false)
    return { ids: idsOf({ messages }), anchor, found_anchor, found_oldest, found_newest }
  }
  return { ...w, ids, fetch, [Symbol.asyncDispose]: () => w.chat.close() }
}

test('returns a window around its anchor and reports its ends', async () => {
  await using w = await ten()
  const { ids, fetch } = w
  const rows: [object, object][] = [
    [
      { anchor: ids[5], num_before: 2, num_after: 2 },
      { ids: ids.slice(3, 8), anchor: ids[5], found_anchor: true, found_oldest: false, found_newest: false },
    ],
    [
      { anchor: ids[5], num_before: 5, num_after: 4 },
      { ids, anchor: ids[5], found_anchor: true, found_oldest: true, found_newest: true },
    ],
    [
      { anchor: ids[5], num_before: 4, num_after: 3 },
      { ids: ids.slice(1, 9), anchor: ids[5], found_anchor: true, found_oldest: false, found_newest: false },
    ],
    [
      { anchor: ids[5], num_before: 2, num_after: 0, include_anchor: false },
      { ids: ids.slice(3, 5), anchor: ids[5], found_anchor: false, found_oldest: false, found_newest: false },
    ],
    [
      { anchor: ids[9], num_before: 0, num_after: 5 },
      { ids: [ids[9]], anchor: ids[9], found_anchor: true, found_oldest: false, found_newest: true },
    ],
    // Between two of the topic's messages.
    [
      { anchor: ids[5]! + 1, num_before: 1, num_after: 1 },
      { ids: [ids[5], ids[6]], anchor: ids[5]! + 1, found_anchor: false, found_oldest: false, found_newest: false },
    ],
    [
      { anchor: 'newest', num_before: 3, num_after: 5 },
      { ids: ids.slice(7), anchor: NEWEST, found_anchor: false, found_oldest: false, found_newest: true },
    ],
    [
      { anchor: NEWEST, num_before: 10, num_after: 0 },
      { ids, anchor: NEWEST, found_anchor: false, found_oldest: true, found_newest: true },
    ],
    [
      { anchor: 10_000_000_000, num_before: 1, num_after: 0 },
      { ids: [ids[9]], anchor: 10_000_000_000, found_anchor: false, found_oldest: false, found_newest: true },
    ],
    [
      { anchor: 'oldest', num_before: 3, num_after: 2 },
      { ids: ids.slice(0, 2), anchor: 0, found_anchor: false, found_oldest: true, found_newest: false },
    ],
    [
      { anchor: 0, num_before: 0, num_after: 10 },
      { ids, anchor: 0, found_anchor: false, found_oldest: true, found_newest: true },
    ],
    [
      { anchor: '-5', num_before: 0, num_after: 1 },
      { ids: ids.slice(0, 1), anchor: 0, found_anchor: false, found_oldest: true, found_newest: false },
    ],
    [
      { anchor: '99999999999999999999', num_before: 1, num_after: 1 },
      { ids: [ids[9]], anchor: NEWEST, found_anchor: false, found_oldest: false, found_newest: true },
    ],
    [
      { anchor: 'newest', num_before: 0, num_after: 0 },
      { ids: [], anchor: NEWEST, found_anchor: false, found_oldest: false, found_newest: true },
    ],
  ]
  for (const [params, expected] of rows) assert.deepEqual(await fetch(params), expected, JSON.stringify(params))
})

test('anchors at the first unread message and includes it', async () => {
  await using w = await ten()
  const { ids, fetch, people } = w
  assert.deepEqual(await fetch({ anchor: 'first_unread', num_before: 5, num_after: 1 }), {
    ids: ids.slice(0, 2),
    anchor: ids[0],
    found_anchor: true,
    found_oldest: true,
    found_newest: false,
  })
  await markStreamAsRead(people.iago, { stream_id: await w.streamId('general') })
  assert.deepEqual(await fetch({ anchor: 0, use_first_unread_anchor: true, num_before: 2, num_after: 2 }), {
    ids: ids.slice(8),
    anchor: NEWEST,
    found_anchor: false,
    found_oldest: false,
    found_newest: true,
  })
  // Own messages are read.
  assert.equal((await fetch({ anchor: 'first_unread', num_before: 0, num_after: 1 }, people.hamlet)).anchor, NEWEST)
})

test("skips muted and unsubscribed messages when finding the home view's first unread", async () => {
  await using w = await world({ streams: { noisy: { members: ['iago', 'hamlet', 'cordelia'] } } })
  const { iago, hamlet, cordelia } = w.people
  const first = async (who: Person) =>
    (await getMessages(who, { anchor: 'first_unread', num_before: 50, num_after: 50 })).anchor
  for (const who of [hamlet, cordelia]) await who.api.post('/mark_all_as_read')
  const noise = await iago.says('noise', { stream: 'noisy', topic: 'x' })
  assert.equal(await first(hamlet), noise.id)
  const noisy = await w.streamId('noisy')
  await storeOf(w.chat).write(({ db }) =>
    db
      .updateTable('subscription')
      .set({ is_muted: 1 })
      .where('user_id', '=', hamlet.id)
      .where('stream_id', '=', noisy)
      .execute(),
  )
  assert.equal(await first(hamlet), NEWEST)
  // But it is in a narrow for it.
  const inChannel = await getMessages(hamlet, {
    anchor: 'first_unread',
    num_before: 0,
    num_after: 1,
    narrow: [['channel', 'noisy']],
  })
  assert.equal(inChannel.anchor, noise.id)
  assert.equal(await first(cordelia), noise.id)
  await unsubscribe(cordelia, { subscriptions: ['noisy'] })
  assert.equal(await first(cordelia), NEWEST)
  const received = await iago.says('hello', { topic: 'y' })
  assert.equal(await first(hamlet), received.id)
})

test('fetches messages by id, omitting inaccessible ones', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago'] } } })
  const { iago, hamlet } = w.people
  const hidden = await iago.says('hidden', { stream: 'secret', topic: 'x' })
  const open = await iago.says('open')
  const answer = await hamlet.api.get('/messages', { message_ids: [open.id, hidden.id, 9999] })
  assert.deepEqual(idsOf(answer as never), [open.id])
  assert.deepEqual(idsOf(await getMessages(iago, { message_ids: [open.id, hidden.id] })), [hidden.id, open.id])
})

test('history access follows membership', async () => {
  await using w = await world({
    streams: {
      secret: { private: true, members: ['iago'] },
      club: { private: true, sharedHistory: true, members: ['iago'] },
      open: { members: ['iago'] },
    },
  })
  const { iago, hamlet, cordelia, polonius } = w.people
  const say = (stream: string, content: string) => iago.says(content, { stream, topic: 'x' })
  const before = {
    secret: await say('secret', 'before'),
    club: await say('club', 'before'),
    open: await say('open', 'before'),
  }
  const dm = await iago.says('between us', { people: [hamlet] })
  for (const name of ['secret', 'club', 'open']) {
    await subscribe(iago, { subscriptions: [{ name }], principals: [hamlet.id, polonius.id] })
  }
  const after = {
    secret: await say('secret', 'after'),
    club: await say('club', 'after'),
    open: await say('open', 'after'),
  }
  const inStream = async (who: Person, stream: string) =>
    idsOf(
      await getMessages(who, { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['channel', stream]] }),
    ).filter((id) => [...Object.values(before), ...Object.values(after)].some((message) => message.id === id))
  for (const who of [hamlet, polonius]) {
    assert.deepEqual(await inStream(who, 'secret'), [after.secret.id])
    assert.deepEqual(await inStream(who, 'club'), [before.club.id, after.club.id])
    assert.deepEqual(await inStream(who, 'open'), [before.open.id, after.open.id])
  }
  assert.deepEqual(await inStream(cordelia, 'open'), [before.open.id, after.open.id])
  await assert.rejects(inStream(cordelia, 'secret'), { code: 'BAD_NARROW' })
  const home = idsOf(await getMessages(cordelia, { anchor: 'newest', num_before: 50, num_after: 0 }))
  for (const { id } of [before.open, after.open, dm]) assert.ok(!home.includes(id), 'not hers')
  for (const who of [cordelia, polonius]) {
    const found = await getMessages(who, {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      narrow: [['search', 'between us']],
    })
    assert.deepEqual(idsOf(found), [])
  }
})

test('rejects invalid requests', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const rows: [object, object][] = [
    [
      { num_before: 1, num_after: 1 },
      { code: 'BAD_REQUEST', msg: "Missing 'anchor' argument." },
    ],
    [
      { anchor: 'newest', num_after: 1 },
      { code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'num_before' argument" },
    ],
    [
      { anchor: 'newest', num_before: 5000, num_after: 1 },
      { code: 'BAD_REQUEST', msg: 'Too many messages requested (maximum 5000).' },
    ],
    [
      { anchor: 'soon', num_before: 1, num_after: 1 },
      { code: 'BAD_REQUEST', msg: 'Invalid anchor' },
    ],
    [
      { anchor: '1.5', num_before: 1, num_after: 1 },
      { code: 'BAD_REQUEST', msg: 'Invalid anchor' },
    ],
    [
      { anchor: 'newest', num_before: 1, num_after: 1, narrow: [['channel', 'nowhere']] },
      { code: 'BAD_NARROW', msg: 'Invalid narrow operator: unknown channel', desc: 'unknown channel' },
    ],
  ]
  for (const [params, expected] of rows) {
    const { status, result, ...answer } = await api.get('/messages', params as never)
    assert.deepEqual([status, result], [400, 'error'])
    assert.equal(answer.msg, (expected as { msg: string }).msg)
    assert.equal(answer.code, (expected as { code: string }).code)
  }
})

test('search highlights matches in text only', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await hamlet.says('a < b && **Class** of the class, [class](https://example.com/class)', { topic: 'Class & <co>' })
  const answer = await iago.api.get('/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [['search', 'clas "&"']],
  })
  const [message] = answer.messages
  const mark = (text: string) => `<span class="highlight">${text}</span>`
  assert.equal(message.match_subject, `${mark('Clas')}s ${mark('&amp;')} &lt;co&gt;`)
  assert.ok(
    message.match_content.includes(`<strong>${mark('Clas')}s</strong> of the ${mark('clas')}s`),
    message.match_content,
  )
  assert.ok(message.match_content.includes(`a &lt; b ${mark('&amp;&amp;')}`), message.match_content)
  assert.ok(message.match_content.includes('href="https://example.com/class"'))
  const text = message.match_content.replaceAll(/<span class="highlight">|<\/span>/g, '')
  assert.equal(text, message.content.replaceAll('</span>', ''))
  const plain = await iago.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.ok(!('match_content' in plain.messages[0]))
})

test('matches_narrow returns the matching messages', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago'] } } })
  const { iago, hamlet } = w.people
  const a = await hamlet.says('hello world', { topic: '' })
  const b = await hamlet.says('good bye')
  const c = await iago.says('hello secret', { stream: 'secret', topic: 'x' })
  const msg_ids = [a.id, b.id, c.id]
  const found = await hamlet.api.get('/messages/matches_narrow', {
    msg_ids,
    narrow: [{ operator: 'search', operand: 'hello' }],
  })
  assert.deepEqual(found.messages, {
    [a.id]: { match_content: '<p><span class="highlight">hello</span> world</p>', match_subject: 'general chat' },
  })
  const bySender = await hamlet.api.get('/messages/matches_narrow', { msg_ids, narrow: [['sender', hamlet.id]] })
  assert.deepEqual(Object.keys(bySender.messages), [String(a.id), String(b.id)])
})

test('finds edited messages by their new text and deleted ones not at all', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await iago.says('first thought')
  const search = async (words: string) =>
    idsOf(await getMessages(hamlet, { anchor: 'newest', num_before: 5, num_after: 0, narrow: [['search', words]] }))
  assert.deepEqual(await search('thought'), [id])
  assert.equal((await iago.api.patch(`/messages/${id}`, { content: 'second idea' })).result, 'success')
  assert.deepEqual([await search('thought'), await search('idea')], [[], [id]])
  assert.equal((await iago.api.delete(`/messages/${id}`)).result, 'success')
  assert.deepEqual(await search('idea'), [])
})
