import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { deleteInBatches } from '../../src/core/messages/edit/delete-topic.ts'
import { world } from '../../src/testing/index.ts'
import { listen, set } from './listen.ts'

const success = { status: 200, result: 'success', msg: '' }
const refusal = (msg: string, code = 'BAD_REQUEST') => ({ status: 400, result: 'error', code, msg })

test('deletes a message with its flags and reactions', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await hamlet.says('@**iago** hello')
  await iago.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  const nextEvents = await listen(hamlet, ['delete_message'])
  assert.deepEqual(await iago.api.delete(`/messages/${id}`), success)
  const stream_id = await w.streamId('general')
  assert.deepEqual(await nextEvents(), [
    { type: 'delete_message', message_ids: [id], message_type: 'stream', stream_id, topic: 'greetings' },
  ])
  for (const table of ['message_flag', 'reaction'] as const) {
    assert.deepEqual(await storeOf(w.chat).db.selectFrom(table).selectAll().execute(), [])
  }
  assert.deepEqual(await iago.api.delete(`/messages/${id}`), refusal('Invalid message(s)'))
})

test('deletes a direct message for its participants', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { id } = await hamlet.says('psst', { people: [iago] })
  const [nextEvents, other] = [await listen(hamlet, ['delete_message']), await listen(cordelia, ['delete_message'])]
  assert.deepEqual(await iago.api.delete(`/messages/${id}`), success)
  assert.deepEqual(await nextEvents(), [{ type: 'delete_message', message_ids: [id], message_type: 'private' }])
  assert.deepEqual(await other(), [])
})

test('explains a missing delete permission without revealing hidden messages', async () => {
  await using w = await world({ streams: { secret: { private: true } } })
  const { iago, hamlet } = w.people
  const own = await hamlet.says('hello')
  const hidden = await iago.says('hush', { stream: 'secret' })
  assert.deepEqual(
    await hamlet.api.delete(`/messages/${own.id}`),
    refusal("You don't have permission to delete this message"),
  )
  assert.deepEqual(await hamlet.api.delete(`/messages/${hidden.id}`), refusal('Invalid message(s)'))
  await set(w, 'can_delete_own_message_group', 'role:members')
  await set(w, 'message_content_delete_limit_seconds', 60)
  w.clock.advance(61_000)
  assert.deepEqual(
    await hamlet.api.delete(`/messages/${own.id}`),
    refusal('The time limit for deleting this message has passed'),
  )
  const fresh = await hamlet.says('hello again')
  assert.deepEqual(await hamlet.api.delete(`/messages/${fresh.id}`), success)
})

test('deletes a topic and leaves its neighbors', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const stream_id = await w.streamId('general')
  const ids = [(await hamlet.says('1', { topic: 'gone' })).id, (await hamlet.says('2', { topic: 'Gone' })).id]
  await hamlet.says('3', { topic: 'stays' })
  const nextEvents = await listen(hamlet, ['delete_message'])
  const path = `/streams/${stream_id}/delete_topic`
  assert.deepEqual(await iago.api.post(path, { topic_name: 'gone' }), { ...success, complete: true })
  assert.deepEqual(await nextEvents(), [
    { type: 'delete_message', message_ids: ids, message_type: 'stream', stream_id, topic: 'gone' },
  ])
  const left = await storeOf(w.chat)
    .db.selectFrom('message')
    .select('content')
    .where('topic_id', 'is not', null)
    .execute()
  assert.deepEqual(left, [{ content: '3' }])
  assert.deepEqual(await iago.api.post(path, { topic_name: 'gone' }), { ...success, complete: true })
})

test('deletes a long topic in batches, newest first', async () => {
  await using w = await world()
  const { iago } = w.people
  const stream_id = await w.streamId('general')
  for (let i = 0; i < 5; i++) await iago.says(String(i), { topic: 'long' })
  const left = async () =>
    (await storeOf(w.chat).db.selectFrom('message').select('content').where('topic_id', 'is not', null).execute())
      .length
  assert.equal(await deleteInBatches(iago, stream_id, 'long', { batch: 2, budget_ms: 0 }), false)
  assert.equal(await left(), 3)
  assert.equal(await deleteInBatches(iago, stream_id, 'long', { batch: 2, budget_ms: 1000 }), true)
  assert.equal(await left(), 0)
})

test('only permitted users can delete a topic, and only one they can see', async () => {
  await using w = await world({
    people: { admin: { role: 'administrator' } },
    streams: { secret: { private: true } },
  })
  const { iago, hamlet } = w.people
  await iago.says('hush', { stream: 'secret', topic: 'plot' })
  const secret = await w.streamId('secret')
  const general = await w.streamId('general')
  const topic_name = 'plot'
  assert.deepEqual(
    await hamlet.api.post(`/streams/${general}/delete_topic`, { topic_name }),
    refusal('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL'),
  )
  assert.deepEqual(
    await hamlet.api.post(`/streams/${secret}/delete_topic`, { topic_name }),
    refusal('Invalid stream ID'),
  )
  await w.person('admin').api.post(`/streams/${secret}/delete_topic`, { topic_name })
  assert.equal(
    (await iago.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages[0].subject,
    'plot',
  )
})

test('tells each reader only of the deleted messages they can see', async () => {
  await using w = await world({
    people: { mod: { role: 'administrator' } },
    streams: { vault: { private: true, members: ['iago', 'hamlet'] } },
  })
  const { iago, hamlet, cordelia } = w.people
  const stream_id = await w.streamId('vault')
  const subscribe = (who: string) =>
    iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], principals: [who] })
  const write = async (text: string) => (await hamlet.says(text, { stream: 'vault', topic: 't' })).id
  const [first, second] = [await write('1'), await write('2')]
  await subscribe(cordelia.email)
  const third = await write('3')
  await cordelia.api.delete('/users/me/subscriptions', { subscriptions: ['vault'] })
  const fourth = await write('4')
  await subscribe(cordelia.email)
  const fifth = await write('5')
  const readers = [hamlet, cordelia, w.person('mod')]
  const received = await Promise.all(readers.map((reader) => listen(reader, ['delete_message'])))
  await iago.api.post(`/streams/${stream_id}/delete_topic`, { topic_name: 't' })
  const ids = async (next: (typeof received)[number]) =>
    (await next()).map((event) => (event as unknown as { message_ids: number[] }).message_ids)
  const [all, hers, none] = await Promise.all(received.map(ids))
  assert.deepEqual(all, [[first, second], [third], [fourth], [fifth]])
  assert.deepEqual(hers, [[third], [fifth]])
  assert.deepEqual(none, [])
})
