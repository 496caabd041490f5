import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { listen } from './listen.ts'

const unreadIds = async (who: Person): Promise<number[]> => {
  const state = await who.api.post('/register', { fetch_event_types: ['update_message_flags', 'message'] })
  return state.unread_msgs.streams.flatMap((one: { unread_message_ids: number[] }) => one.unread_message_ids)
}
const found = async (who: Person, operand: 'unread' | 'read', id: number): Promise<boolean> => {
  const narrow = [{ operator: 'is', operand }]
  const { messages } = await who.api.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })
  return messages.some((message: { id: number }) => message.id === id)
}
const flag = (who: Person, id: number, op: 'add' | 'remove') =>
  who.api.post('/messages/flags', { messages: [id], op, flag: 'read' })

/** Hamlet writes in a topic, and Iago resolves it. Returns the id of the notice, and its flags for everyone. */
async function resolved(w: World) {
  const { iago, hamlet, cordelia } = w.people
  const { id } = await hamlet.says('to be', { topic: 'plot' })
  for (const who of [iago, hamlet, cordelia]) await who.api.post('/mark_all_as_read')
  const received = await Promise.all([iago, hamlet, cordelia].map((who) => listen(who, ['message'])))
  await iago.api.patch(`/messages/${id}`, { topic: '✔ plot', propagate_mode: 'change_all' })
  const events = (await Promise.all(received.map((next) => next()))).map(([event]) => event)
  const flags = events.map((one) => one.flags.includes('read')) as [boolean, boolean, boolean]
  return { notice: events[0].message.id as number, flags }
}

test('notices about resolved topics start as read, except for followers of the topic', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { notice, flags } = await resolved(w)
  // Hamlet follows the topic because he started it.
  assert.deepEqual(flags, [true, false, true])
  for (const [who, isUnread] of [
    [iago, false],
    [hamlet, true],
    [cordelia, false],
  ] as const) {
    assert.equal((await unreadIds(who)).includes(notice), isUnread, who.email)
    assert.deepEqual([await found(who, 'unread', notice), await found(who, 'read', notice)], [isUnread, !isUnread])
    const { message } = await who.api.get(`/messages/${notice}`)
    assert.equal(message.flags.includes('read'), !isUnread)
  }
  const { user_ids } = await iago.api.get(`/messages/${notice}/read_receipts`)
  assert.deepEqual(
    user_ids,
    [iago.id, cordelia.id].sort((a, b) => a - b),
  )
  const rows = await storeOf(w.chat).db.selectFrom('message_flag').select('user_id').execute()
  assert.deepEqual(rows, [{ user_id: hamlet.id }])
})

test('applies what people chose for notices about resolved topics', async () => {
  await using w = await world()
  const { hamlet, cordelia, iago } = w.people
  const choose = (who: Person, resolved_topic_notice_auto_read_policy: string) =>
    who.api.patch('/settings', { resolved_topic_notice_auto_read_policy })
  assert.equal((await choose(hamlet, 'sometimes')).status, 400)
  await choose(hamlet, 'always')
  await choose(cordelia, 'never')
  const { notice, flags } = await resolved(w)
  assert.deepEqual(flags, [true, true, false])
  assert.deepEqual(await unreadIds(cordelia), [notice])
  // A later change of mind doesn't touch notices from before.
  await choose(cordelia, 'always')
  await choose(iago, 'never')
  assert.deepEqual([await unreadIds(cordelia), await unreadIds(iago)], [[notice], []])
})

test('marks a notice that started as read as unread and as read again', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { notice } = await resolved(w)
  await verifyEvents([cordelia], async () => {
    await flag(cordelia, notice, 'remove')
    assert.deepEqual(await unreadIds(cordelia), [notice])
    assert.equal(await found(cordelia, 'unread', notice), true)
  })
  await verifyEvents([cordelia], async () => {
    await cordelia.api.post('/messages/flags', { messages: [notice], op: 'add', flag: 'starred' })
    await cordelia.api.post('/messages/flags', { messages: [notice], op: 'remove', flag: 'starred' })
    assert.deepEqual(await unreadIds(cordelia), [notice])
    await flag(cordelia, notice, 'add')
    assert.deepEqual(await unreadIds(cordelia), [])
  })
  await verifyEvents([hamlet], () => hamlet.api.post('/mark_all_as_read'))
  assert.deepEqual(await unreadIds(hamlet), [])
})

test('reading on both sides of a notice that started as read leaves one range', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  await resolved(w)
  const { id } = await hamlet.says('next', { topic: 'plot two' })
  await flag(cordelia, id, 'add')
  const ranges = await storeOf(w.chat)
    .db.selectFrom('read_range')
    .select(['lo', 'hi'])
    .where('user_id', '=', cordelia.id)
    .where('conversation_id', '=', await w.streamId('general'))
    .execute()
  assert.deepEqual(
    ranges.map(({ hi }) => hi),
    [id],
  )
})
