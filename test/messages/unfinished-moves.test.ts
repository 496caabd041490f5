import assert from 'node:assert/strict'
import test from 'node:test'
import { type SeededTopic, seedStreams, seedSubscriptions, seedTopic, seedUsers } from '../../bench/stalls/seeds.ts'
import { accessMessage } from '../../src/core/access/messages.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { updateMessage } from '../../src/core/messages/edit/edit.ts'
import { moveMessages } from '../../src/core/messages/move/move.ts'
import { accessStream, type Stream } from '../../src/core/streams/access.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'

const MANY = 250
const options = { mode: 'change_all', notifyOldThread: true, notifyNewThread: true } as const
const MINUTE_MS = 60_000
const WEEK_MS = 7 * 86_400_000
/** More messages than one query counts. */
const LARGE = 1100

/** Moves a topic to another stream, and stops after the first write, as a server does that is killed. */
async function cutOff(mover: Person, { ids }: SeededTopic, to: Stream): Promise<void> {
  const left = await mover.write(async (tx) => {
    const destination = { stream: await accessStream(tx, to.id), topic: 'new' }
    return moveMessages(tx, await accessMessage(tx, ids[0]!), destination, options)
  })
  assert.ok(left !== undefined)
}

const rowsIn = ({ chat }: World, { id }: Stream) =>
  storeOf(chat).db.selectFrom('message').select(['id', 'client']).where('conversation_id', '=', id).execute()
const unfinished = ({ chat }: World) => storeOf(chat).db.selectFrom('unfinished_move').selectAll().execute()

test('finishes a move that was cut off after its first write', async () => {
  await using w = await world()
  const [from, to] = await seedStreams(w, 2)
  await seedSubscriptions(w, [w.people.iago.id, w.people.hamlet.id], [from!.id])
  const topic = await seedTopic(w, from!, 'old', MANY)
  await cutOff(w.people.iago, topic, to!)
  assert.ok((await rowsIn(w, to!)).length < MANY)
  assert.equal((await unfinished(w)).length, 1)
  w.clock.advance(2 * MINUTE_MS)
  await eventually('the move is finished', async () => (await unfinished(w)).length === 0)
  const moved = (await rowsIn(w, to!)).filter((row) => row.client === 'bench')
  assert.equal(moved.length, MANY)
  // Only the notice of the move is left behind.
  assert.equal((await rowsIn(w, from!)).length, 1)
  const notices = (await rowsIn(w, to!)).filter((row) => row.client !== 'bench')
  assert.equal(notices.length, 1)
})

test('finishes a move after the person who began it was deactivated', async () => {
  await using w = await world()
  const [from, to] = await seedStreams(w, 2)
  await seedSubscriptions(w, [w.people.hamlet.id], [from!.id])
  const topic = await seedTopic(w, from!, 'old', MANY)
  await cutOff(w.people.hamlet, topic, to!)
  await w.people.iago.api.delete(`/users/${w.people.hamlet.id}`)
  w.clock.advance(2 * MINUTE_MS)
  await eventually('the move is finished', async () => (await unfinished(w)).length === 0)
  assert.equal((await rowsIn(w, to!)).filter((row) => row.client === 'bench').length, MANY)
})

test('marks moved messages as read for people who do not follow them, one event for many people', async () => {
  await using w = await world()
  const [from, to] = await seedStreams(w, 2)
  const others = await seedUsers(w, 60)
  await seedSubscriptions(w, [w.people.iago.id, w.people.hamlet.id, ...others], [from!.id])
  const { ids } = await seedTopic(w, from!, 'old', MANY)
  const unreadIn = async () => (await w.people.hamlet.api.post('/register', {})).unread_msgs.count
  const before = await unreadIn()
  await w.events()
  const move = { message_id: ids[0]!, stream_id: to!.id, propagate_mode: 'change_all' } as const
  await updateMessage(w.people.iago, { ...move, send_notification_to_new_thread: false })
  assert.equal(await unreadIn(), before - MANY)
  assert.deepEqual(await unfinished(w), [])
  const read = (await w.events()).filter(({ type }) => type === 'update_message_flags')
  assert.deepEqual([...new Set(read.flatMap((event) => ('messages' in event ? event.messages : [])))], ids)
  assert.ok(read.length < 2 * others.length, `${read.length} events`)
})

test('forgets a move to a channel that was removed', async () => {
  await using w = await world()
  const [from, to] = await seedStreams(w, 2)
  await seedSubscriptions(w, [w.people.iago.id], [from!.id])
  await cutOff(w.people.iago, await seedTopic(w, from!, 'old', MANY), to!)
  await storeOf(w.chat).write(async ({ db }) => {
    const { rest } = await db.selectFrom('unfinished_move').select('rest').executeTakeFirstOrThrow()
    const gone = rest.replace(`"stream_id":${to!.id},"topic":"new"`, '"stream_id":99999,"topic":"new"')
    assert.notEqual(gone, rest)
    await db.updateTable('unfinished_move').set({ rest: gone }).execute()
  })
  w.clock.advance(2 * MINUTE_MS)
  await eventually('the move is forgotten', async () => (await unfinished(w)).length === 0)
})

test('forgets more moves than a page has', async () => {
  await using w = await world()
  const [from, to] = await seedStreams(w, 2)
  await seedSubscriptions(w, [w.people.iago.id], [from!.id])
  await cutOff(w.people.iago, await seedTopic(w, from!, 'old', MANY), to!)
  await storeOf(w.chat).write(async ({ db }) => {
    const { user_id, touched_at, rest } = await db.selectFrom('unfinished_move').selectAll().executeTakeFirstOrThrow()
    const gone = rest.replace(`"stream_id":${to!.id},"topic":"new"`, '"stream_id":99999,"topic":"new"')
    const rows = Array.from({ length: MANY }, () => ({ user_id, touched_at, rest: gone }))
    await db.insertInto('unfinished_move').values(rows).execute()
  })
  w.clock.advance(2 * MINUTE_MS)
  await eventually('all moves are done', async () => (await unfinished(w)).length === 0)
})

test('counts the messages of a large topic that its mover may move', async () => {
  await using w = await world()
  const [from] = await seedStreams(w, 1)
  await seedSubscriptions(w, [w.people.hamlet.id], [from!.id])
  const old = await seedTopic(w, from!, 'old', 2 * LARGE)
  w.clock.advance(WEEK_MS + 1000)
  const young = await seedTopic(w, from!, 'young', LARGE)
  await storeOf(w.chat).write(({ db }) =>
    db.updateTable('message').set({ topic_id: old.topic_id }).where('topic_id', '=', young.topic_id).execute(),
  )
  const change = { topic: 'new', propagate_mode: 'change_all' }
  const { status, code, msg, first_message_id_allowed_to_move } = await w.people.hamlet.api.patch(
    `/messages/${young.ids[0]}`,
    change,
  )
  assert.deepEqual(
    [status, code, first_message_id_allowed_to_move],
    [400, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', young.ids[0]],
  )
  assert.match(msg as string, new RegExp(`move the ${LARGE}/${3 * LARGE} most recent messages`))
  await storeOf(w.chat).write(({ db }) =>
    db
      .updateTable('message')
      .set({ sent_at: w.clock.now() / 1000 })
      .where('topic_id', '=', old.topic_id)
      .execute(),
  )
  assert.equal((await w.people.hamlet.api.patch(`/messages/${young.ids[0]}`, change)).status, 200)
})
