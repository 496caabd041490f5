import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { updateMessage } from '../../src/core/messages/edit/edit.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { listen } from './listen.ts'

const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }

interface Seen {
  id: number
  content: string
  sender_full_name: string
}
async function topic(who: Person, stream_id: number, name: string): Promise<Seen[]> {
  const narrow = [
    { operator: 'channel', operand: stream_id },
    { operator: 'topic', operand: name },
  ]
  const params = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false }
  return (await who.api.get('/messages', params)).messages
}
const idsIn = async (who: Person, stream_id: number, name: string) =>
  (await topic(who, stream_id, name)).map((m) => m.id)

async function three(w: World): Promise<number[]> {
  const ids: number[] = []
  for (const content of ['1', '2', '3']) ids.push((await w.people.hamlet.says(content, { topic: 'old' })).id)
  await w.events()
  return ids
}

for (const [mode, stay, go] of [
  ['change_one', [0, 2], [1]],
  ['change_later', [0], [1, 2]],
  ['change_all', [], [0, 1, 2]],
] as const) {
  test(`${mode} moves the right part of a topic`, async () => {
    await using w = await world()
    const { iago, cordelia } = w.people
    const general = await w.streamId('general')
    const ids = await three(w)
    const nextEvents = await listen(cordelia, ['update_message'])
    await updateMessage(iago, { message_id: ids[1]!, topic: 'new', propagate_mode: mode, ...quiet })
    assert.deepEqual(
      await idsIn(cordelia, general, 'old'),
      stay.map((i) => ids[i]),
    )
    assert.deepEqual(
      await idsIn(cordelia, general, 'new'),
      go.map((i) => ids[i]),
    )
    assert.deepEqual(await nextEvents(), [
      {
        type: 'update_message',
        user_id: iago.id,
        edit_timestamp: Math.floor(w.clock.now() / 1000),
        message_id: ids[1],
        message_ids: go.map((i) => ids[i]),
        rendering_only: false,
        flags: [],
        stream_id: general,
        stream_name: 'general',
        propagate_mode: mode,
        orig_subject: 'old',
        subject: 'new',
        topic_links: [],
      },
    ])
    const { message } = await cordelia.api.get(`/messages/${ids[1]}`)
    assert.deepEqual([typeof message.last_moved_timestamp, message.last_edit_timestamp], ['number', undefined])
    assert.deepEqual([message.edit_history[0].prev_topic, message.edit_history[0].topic], ['old', 'new'])
  })
}

test('renaming an entire topic changes one row', async () => {
  await using w = await world()
  const ids = await three(w)
  const topics = () => storeOf(w.chat).db.selectFrom('topic').select(['id', 'name']).execute()
  const [before] = await topics()
  await updateMessage(w.people.iago, { message_id: ids[0]!, topic: 'new', propagate_mode: 'change_all', ...quiet })
  assert.deepEqual(await topics(), [{ id: before!.id, name: 'new' }])
  await updateMessage(w.people.iago, { message_id: ids[0]!, topic: 'NEW', ...quiet })
  assert.deepEqual(await topics(), [{ id: before!.id, name: 'NEW' }])
})

test('merging a topic into another leaves nothing behind', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const ids = await three(w)
  const there = await hamlet.says('x', { topic: 'new' })
  await updateMessage(iago, { message_id: ids[0]!, topic: 'New', propagate_mode: 'change_all', ...quiet })
  assert.deepEqual(await idsIn(hamlet, await w.streamId('general'), 'new'), [...ids, there.id])
  assert.equal((await storeOf(w.chat).db.selectFrom('topic').selectAll().execute()).length, 1)
})

const notices = async (w: World, stream: string, name: string) =>
  (await topic(w.people.iago, await w.streamId(stream), name))
    .filter((message) => message.sender_full_name === 'Notification Bot')
    .map((message) => message.content)

test('both topics of a move get the requested notices', async () => {
  await using w = await world({ streams: { other: { members: ['iago', 'hamlet'] } } })
  const { iago } = w.people
  const ids = await three(w)
  const who = `@_**iago|${iago.id}**`
  const all = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
  await updateMessage(iago, { message_id: ids[0]!, topic: 'one', ...all })
  assert.deepEqual(await notices(w, 'general', 'one'), [`A message was moved here from #**general>old** by ${who}.`])
  assert.deepEqual(await notices(w, 'general', 'old'), [
    `A message was moved from this topic to #**general>one** by ${who}.`,
  ])
  const other = await w.streamId('other')
  await updateMessage(iago, { message_id: ids[1]!, stream_id: other, propagate_mode: 'change_all', ...all })
  assert.deepEqual(
    (await notices(w, 'other', 'old')).at(-1),
    `This topic was moved here from #**general>old** by ${who}.`,
  )
  assert.deepEqual(await notices(w, 'general', 'old'), [`This topic was moved to #**other>old** by ${who}.`])
})

test("a notice doesn't name the private stream a message came from", async () => {
  await using w = await world({ streams: { secret: { private: true } } })
  const { iago } = w.people
  const { id } = await iago.says('hush', { stream: 'secret', topic: 'plot' })
  await updateMessage(iago, { message_id: id, stream_id: await w.streamId('general') })
  assert.match((await notices(w, 'general', 'plot'))[0]!, /^This topic was moved here from a private channel by/)
})

test('posts a notice when a topic is resolved or reopened', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const [id] = await three(w)
  const who = `@_**hamlet|${hamlet.id}**`
  await updateMessage(hamlet, { message_id: id!, topic: '✔ old', propagate_mode: 'change_all' })
  assert.deepEqual(await notices(w, 'general', '✔ old'), [`${who} has marked this topic as resolved.`])
  await updateMessage(hamlet, { message_id: id!, topic: 'old', propagate_mode: 'change_all' })
  assert.deepEqual((await notices(w, 'general', 'old')).at(-1), `${who} has marked this topic as unresolved.`)
})

test('can resolve a topic whose name has the maximum length', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { id } = await hamlet.says('x', { topic: 'x'.repeat(60) })
  await updateMessage(hamlet, { message_id: id, topic: `✔ ${'x'.repeat(60)}`, propagate_mode: 'change_all' })
  assert.match((await notices(w, 'general', `✔ ${'x'.repeat(58)}`))[0]!, /resolved/)
})

test("limits moves of an entire topic to the mover's time limit", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const old = await hamlet.says('1', { topic: 'old' })
  w.clock.advance(604_801_000)
  const young = await hamlet.says('2', { topic: 'old' })
  const params = { topic: 'new', propagate_mode: 'change_all', ...quiet }
  assert.deepEqual(await hamlet.api.patch(`/messages/${young.id}`, params), {
    status: 400,
    result: 'error',
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    msg: 'You only have permission to move the 1/2 most recent messages in this topic.',
    first_message_id_allowed_to_move: young.id,
    total_messages_in_topic: 2,
    total_messages_allowed_to_move: 1,
  })
  assert.equal((await iago.api.patch(`/messages/${young.id}`, params)).status, 200)
  assert.deepEqual(await idsIn(iago, await w.streamId('general'), 'new'), [old.id, young.id])
})

test('sends a deletion to users who lose sight of moved messages and the move to users who keep it', async () => {
  await using w = await world({
    people: { outsider: {} },
    streams: {
      from: { members: ['iago', 'hamlet', 'polonius'] },
      into: { private: true, sharedHistory: true, members: ['iago', 'hamlet'] },
    },
  })
  const { iago, hamlet, polonius } = w.people
  const { id } = await iago.says('x', { stream: 'from', topic: 't' })
  const from = await w.streamId('from')
  const into = await w.streamId('into')
  const [mover, keeper, loser, outsider] = await Promise.all(
    [iago, hamlet, polonius, w.person('outsider')].map((p) =>
      listen(p, ['update_message', 'delete_message', 'message']),
    ),
  )
  await updateMessage(iago, { message_id: id, stream_id: into, ...quiet })
  const moved = {
    type: 'update_message',
    user_id: iago.id,
    edit_timestamp: Math.floor(w.clock.now() / 1000),
    message_id: id,
    message_ids: [id],
    rendering_only: false,
    stream_id: from,
    stream_name: 'from',
    propagate_mode: 'change_one',
    orig_subject: 't',
    new_stream_id: into,
  }
  assert.deepEqual(await mover!(), [{ ...moved, flags: ['read'] }])
  assert.deepEqual(await keeper!(), [{ ...moved, flags: [] }])
  assert.deepEqual(await loser!(), [
    { type: 'delete_message', message_ids: [id], message_type: 'stream', stream_id: from, topic: 't' },
  ])
  assert.deepEqual(await outsider!(), [])
  assert.equal((await polonius.api.get(`/messages/${id}`)).msg, 'Invalid message(s)')
})

test('a move between public streams reaches every subscriber of either once, and guests as they see it', async () => {
  await using w = await world({
    people: { either: {}, target: {}, visitor: { role: 'guest' }, stranger: { role: 'guest' } },
    streams: {
      from: { members: ['iago', 'hamlet', 'either', 'polonius', 'visitor'] },
      into: { members: ['hamlet', 'target', 'visitor', 'stranger'] },
    },
  })
  const { iago, hamlet, polonius } = w.people
  const { id } = await iago.says('x', { stream: 'from', topic: 't' })
  const into = await w.streamId('into')
  const others = ['either', 'target', 'visitor', 'stranger'] as const
  const people = [iago, hamlet, ...others.map((name) => w.person(name)), polonius]
  const received = await Promise.all(people.map((p) => listen(p, ['update_message', 'delete_message'])))
  await updateMessage(iago, { message_id: id, stream_id: into, ...quiet })
  const types = await Promise.all(received.map(async (events) => (await events()).map(({ type }) => type)))
  // In the order of people; Polonius is a guest of the first stream only.
  const moved = ['update_message']
  assert.deepEqual(types, [moved, moved, moved, moved, moved, [], ['delete_message']])
})

test('a move between private streams reaches those who see it before and after, and a deletion the others', async () => {
  const names = ['from', 'into', 'both'] as const
  for (const sharedHistory of [true, false]) {
    await using w = await world({
      people: { from: { role: 'guest' }, into: {}, both: { role: 'guest' } },
      streams: {
        from: { private: true, sharedHistory, members: ['iago', 'from', 'both'] },
        into: { private: true, sharedHistory, members: ['iago', 'into', 'both'] },
      },
    })
    const { iago } = w.people
    const { id } = await iago.says('x', { stream: 'from', topic: 't' })
    for (const name of names.filter((name) => name !== 'into')) {
      await w.person(name).api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    }
    const people = names.map((name) => w.person(name))
    const received = await Promise.all(people.map((p) => listen(p, ['update_message', 'delete_message'])))
    await updateMessage(iago, { message_id: id, stream_id: await w.streamId('into'), ...quiet })
    const types = await Promise.all(received.map(async (events) => (await events()).map(({ type }) => type)))
    assert.deepEqual(types, [['delete_message'], [], ['update_message']])
    const flags = await storeOf(w.chat).db.selectFrom('message_flag').select('user_id').execute()
    assert.deepEqual(
      flags.map((row) => row.user_id),
      [w.person('both').id],
    )
  }
})

test('a move between protected histories tells each reader of the messages that they see', async () => {
  await using w = await world({
    people: { late: {}, later: {} },
    streams: { from: { private: true, members: ['iago'] }, into: { private: true, members: ['iago'] } },
  })
  const { iago } = w.people
  const ids: number[] = []
  const say = async () => ids.push((await iago.says('x', { stream: 'from', topic: 't' })).id)
  const join = (name: 'late' | 'later', stream: string) =>
    iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: stream }], principals: [w.person(name).id] })
  await say()
  await join('late', 'from')
  await join('later', 'from')
  await join('late', 'into')
  await say()
  await join('later', 'into')
  await say()
  const [first = 0, second = 0, third = 0] = ids
  const people = [iago, w.person('late'), w.person('later')]
  const received = await Promise.all(people.map((p) => listen(p, ['update_message', 'delete_message'])))
  const into = await w.streamId('into')
  await updateMessage(iago, { message_id: first, stream_id: into, ...quiet, propagate_mode: 'change_all' })
  const seen = await Promise.all(
    received.map(async (events) => (await events()).flatMap(({ type, message_ids }) => [type, ...message_ids])),
  )
  const [update, gone] = ['update_message', 'delete_message']
  assert.deepEqual(seen, [
    [update, first, update, second, update, third],
    [update, second, update, third],
    [gone, second, update, third],
  ])
})

test('a move from a private to a public stream reaches only those who saw the messages', async () => {
  await using w = await world({
    people: { reader: {}, visitor: { role: 'guest' }, stranger: {} },
    streams: {
      from: { private: true, sharedHistory: true, members: ['iago', 'reader', 'visitor'] },
      into: { members: ['iago', 'stranger'] },
    },
  })
  const { iago } = w.people
  const { id } = await iago.says('x', { stream: 'from', topic: 't' })
  const people = (['reader', 'visitor', 'stranger'] as const).map((name) => w.person(name))
  const received = await Promise.all(people.map((p) => listen(p, ['update_message', 'delete_message'])))
  await updateMessage(iago, { message_id: id, stream_id: await w.streamId('into'), ...quiet })
  const types = await Promise.all(received.map(async (events) => (await events()).map(({ type }) => type)))
  assert.deepEqual(types, [['update_message'], ['delete_message'], []])
})

test('messages moved into protected history from before joining are no longer unread', async () => {
  await using w = await world({ streams: { from: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const { id } = await iago.says('x', { stream: 'from' })
  await iago.api.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'into' }],
    principals: [iago.id, hamlet.id],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const stream_id = await w.streamId('into')
  const move = { message_id: id, stream_id, ...quiet }
  const [events] = await verifyEvents([hamlet], () => updateMessage(iago, move), {
    client_capabilities: { bulk_message_deletion: true },
  })
  assert.deepEqual(
    events!.map((event) => event.type).filter((type) => type.includes('message')),
    ['update_message_flags', 'delete_message'],
  )
})

test('a mover who loses sight of a message receives its deletion, subscribed or not', async () => {
  await using w = await world({
    streams: { from: { members: ['hamlet'] }, into: { private: true, members: ['hamlet'] } },
  })
  const { iago, hamlet } = w.people
  const { id } = await hamlet.says('x', { stream: 'from' })
  // He joins the protected history after the message was sent.
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'into' }], principals: [iago.id] })
  const received = await listen(iago, ['update_message', 'delete_message'])
  await updateMessage(iago, { message_id: id, stream_id: await w.streamId('into'), ...quiet })
  assert.equal((await iago.api.get(`/messages/${id}`)).msg, 'Invalid message(s)')
  assert.deepEqual(
    (await received()).map(({ type }) => type),
    ['delete_message'],
  )
})

test("can't move a message to a stream where the mover may not post", async () => {
  await using w = await world({ streams: { other: { members: ['iago', 'hamlet'] } } })
  const { hamlet } = w.people
  const { id } = await hamlet.says('x')
  const stream_id = await w.streamId('other')
  await storeOf(w.chat).write(({ db }) =>
    db
      .updateTable('stream')
      .set({ settings: JSON.stringify({ can_send_message_group: { direct_members: [], direct_subgroups: [] } }) })
      .where('id', '=', stream_id)
      .execute(),
  )
  const { msg } = await hamlet.api.patch(`/messages/${id}`, { stream_id })
  assert.equal(msg, 'You do not have permission to post in this stream.')
})

test("updates a stream's oldest message after a move", async () => {
  await using w = await world({ streams: { other: {} } })
  const { iago } = w.people
  const ids = await three(w)
  const other = await w.streamId('other')
  await updateMessage(iago, { message_id: ids[0]!, stream_id: other, ...quiet })
  const rows = await storeOf(w.chat)
    .db.selectFrom('stream')
    .select(['name', 'first_message_id'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    rows.map((row) => row.first_message_id),
    [ids[1], ids[0]],
  )
})

test('followers of a topic follow it to its new place', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const [id] = await three(w)
  const stream_id = await w.streamId('general')
  await hamlet.api.post('/user_topics', { stream_id, topic: 'old', visibility_policy: 3 })
  const policies = () =>
    storeOf(w.chat).db.selectFrom('user_topic').select(['topic_name', 'visibility_policy']).execute()
  await updateMessage(iago, { message_id: id!, topic: 'part', ...quiet })
  assert.deepEqual(await policies(), [{ topic_name: 'old', visibility_policy: 3 }])
  const [, second] = (await idsIn(hamlet, stream_id, 'old')) as [number, number]
  await updateMessage(iago, { message_id: second, topic: 'new', propagate_mode: 'change_all', ...quiet })
  assert.deepEqual(await policies(), [{ topic_name: 'new', visibility_policy: 3 }])
})

test('lists moved messages in ascending order, whichever message was named', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const ids = await three(w)
  const received = await listen(cordelia, ['update_message'])
  await updateMessage(hamlet, { message_id: ids[2]!, topic: 'new', propagate_mode: 'change_all', ...quiet })
  await updateMessage(hamlet, { message_id: ids[1]!, topic: 'newer', propagate_mode: 'change_later', ...quiet })
  const moved = (await received()).map(({ message_id, message_ids }) => [message_id, message_ids])
  assert.deepEqual(moved, [
    [ids[2], ids],
    [ids[1], ids.slice(1)],
  ])
})
