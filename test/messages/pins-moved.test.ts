import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { ArchiveFolder, importInto, jsonLines } from '../import/archives.ts'
import { listen } from './listen.ts'

const LIMIT = 3

/** The channel "general" has two pinned messages, and three may be there. */
async function scene() {
  const w = await world({ chat: { limits: { pinsPerChannel: LIMIT } } })
  const { iago } = w
  await iago.joins('plans')
  const pin = async ({ id }: { id: number }) => {
    w.clock.advance(1000)
    assert.equal((await iago.api.post(`/messages/${id}/pin`)).msg, '')
  }
  const pinned = async (stream: string): Promise<number[]> => {
    const answer = await iago.api.get(`/streams/${await w.streamId(stream)}/pinned_messages`)
    return answer.pinned_messages.map((one: { message_id: number }) => one.message_id)
  }
  const own = [await iago.says('own 1'), await iago.says('own 2')].map(({ id }) => id)
  for (const id of own) await pin({ id })
  return { w, iago, pin, pinned, own: own.toReversed() }
}

test("moves a topic into a channel without room: the channel's own pins and the newest moved one stay", async () => {
  const { w, iago, pin, pinned, own } = await scene()
  await using _ = w.chat
  const [first, second, third] = [
    await iago.says('1', { stream: 'plans', topic: 'trip' }),
    await iago.says('2', { stream: 'plans', topic: 'trip' }),
    await iago.says('3', { stream: 'plans', topic: 'trip' }),
  ] as const
  for (const message of [second, third, first]) await pin(message)
  const events = await listen(w.hamlet, ['pinned_messages'])
  const stream_id = await w.streamId('general')
  const move = { propagate_mode: 'change_all', stream_id, topic: 'trip' }
  assert.equal((await iago.api.patch(`/messages/${second.id}`, move)).msg, '')
  assert.deepEqual(await pinned('general'), [first.id, ...own])
  assert.deepEqual(await pinned('plans'), [])
  assert.deepEqual(await events(), [{ type: 'pinned_messages', stream_id }])
  // Moved back, what ended stays ended.
  const back = { propagate_mode: 'change_all', stream_id: await w.streamId('plans'), topic: 'trip' }
  assert.equal((await iago.api.patch(`/messages/${second.id}`, back)).msg, '')
  assert.deepEqual(await pinned('plans'), [first.id])
})

test('one moved message leaves the pins of its topic alone', async () => {
  const { w, iago, pin, pinned, own } = await scene()
  await using _ = w.chat
  const [first, second] = [
    await iago.says('1', { stream: 'plans', topic: 'trip' }),
    await iago.says('2', { stream: 'plans', topic: 'trip' }),
  ] as const
  for (const message of [first, second]) await pin(message)
  const move = { propagate_mode: 'change_one', stream_id: await w.streamId('general'), topic: 'trip' }
  assert.equal((await iago.api.patch(`/messages/${first.id}`, move)).msg, '')
  assert.deepEqual(await pinned('general'), [first.id, ...own])
  assert.deepEqual(await pinned('plans'), [second.id])
})

test('the newest pin of a large topic stays, although its message moves in a later write', async () => {
  const { w, iago, pin, pinned, own } = await scene()
  await using _ = w.chat
  const place = { stream: 'plans', topic: 'trip' }
  const early = await iago.says('early', place)
  await pin(early)
  for (let i = 0; i < 130; i++) await iago.says(`${i}`, place)
  const late = await iago.says('late', place)
  await pin(late)
  const move = { propagate_mode: 'change_all', stream_id: await w.streamId('general'), topic: 'trip' }
  assert.equal((await iago.api.patch(`/messages/${early.id}`, move)).msg, '')
  assert.deepEqual(await pinned('general'), [late.id, ...own])
  assert.deepEqual(await pinned('plans'), [])
})

test("pins that stay behind take no room, because the person who moves can't see their messages", async () => {
  const { w, iago, pin, own, pinned } = await scene()
  await using _ = w.chat
  const { hamlet, cordelia } = w.people
  const protectedChannel = { invite_only: true, history_public_to_subscribers: false }
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], ...protectedChannel })
  const place = { stream: 'vault', topic: 'trip' }
  const hidden = await hamlet.says('before', place)
  const join = { subscriptions: [{ name: 'vault' }], principals: [iago.id, cordelia.id] }
  assert.equal((await hamlet.api.post('/users/me/subscriptions', join)).status, 200)
  const seen = await hamlet.says('after', place)
  await pin(seen)
  w.clock.advance(1000)
  assert.equal((await hamlet.api.post(`/messages/${hidden.id}/pin`)).msg, '')
  const move = { propagate_mode: 'change_all', stream_id: await w.streamId('general'), topic: 'trip' }
  assert.equal((await iago.api.patch(`/messages/${seen.id}`, move)).msg, '')
  assert.deepEqual(await pinned('general'), [seen.id, ...own])
  const { pinned_messages } = await hamlet.api.get(`/streams/${await w.streamId('vault')}/pinned_messages`)
  assert.deepEqual(
    pinned_messages.map((one: { message_id: number }) => one.message_id),
    [hidden.id],
  )
})

/** An archive with one channel and 102 pinned messages, pinned in this order of their numbers. */
function pinnedArchive(email: string, now: number, order: (numbers: number[]) => number[]) {
  const place = { channel: 'c1', topic: 'old' }
  const messages = order(Array.from({ length: 102 }, (_, i) => i)).map((i) => ({
    ...{ type: 'message', id: `m${i}`, user: 'u1', date: now - 5000 + i, ...place, content: `${i}` },
    pinned: { user: 'u1' },
  }))
  const people = { type: 'user', id: 'u1', name: 'Iago', email }
  return new ArchiveFolder({
    'import.jsonl': jsonLines(people, { type: 'channel', id: 'c1', name: 'kitchen' }, ...messages),
  })
}

for (const [name, order] of [
  ['in order', (numbers: number[]) => numbers],
  ['newest first', (numbers: number[]) => numbers.toReversed()],
] as const) {
  test(`an import keeps the newest pins of a channel, and reports the others (${name})`, async () => {
    await using w = await world()
    using archive = pinnedArchive(w.iago.email, Math.floor(w.clock.now() / 1000), order)
    const { report } = await importInto(w.chat, archive)
    const { pinned_messages } = await w.iago.api.get(`/streams/${await w.streamId('kitchen')}/pinned_messages`)
    const message_ids = pinned_messages.map((one: { message_id: number }) => one.message_id)
    const { messages } = await w.iago.api.get('/messages', { message_ids, apply_markdown: false })
    assert.deepEqual(
      messages.map(({ content }: { content: string }) => Number(content)),
      Array.from({ length: 100 }, (_, i) => i + 2),
    )
    assert.equal(report.imported.pin, 100)
    const tooMany = report.left_out.find(({ kind }) => kind === 'pin')
    assert.deepEqual([tooMany?.count, tooMany?.reason], [2, 'there are more than 100 in its channel'])
  })
}
