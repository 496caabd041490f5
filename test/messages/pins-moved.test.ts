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

test('an import leaves out the pins that are too many for a channel, and reports them', async () => {
  await using w = await world()
  const now = Math.floor(w.clock.now() / 1000)
  const place = { channel: 'c1', topic: 'old' }
  const messages = Array.from({ length: 102 }, (_, i) => ({
    ...{ type: 'message', id: `m${i}`, user: 'u1', date: now - 5000 + i, ...place, content: `${i}` },
    pinned: { user: 'u1' },
  }))
  const people = { type: 'user', id: 'u1', name: 'Iago', email: w.iago.email }
  using archive = new ArchiveFolder({
    'import.jsonl': jsonLines(people, { type: 'channel', id: 'c1', name: 'kitchen' }, ...messages),
  })
  const { report } = await importInto(w.chat, archive)
  const { pinned_messages } = await w.iago.api.get(`/streams/${await w.streamId('kitchen')}/pinned_messages`)
  assert.equal(pinned_messages.length, 100)
  assert.match(JSON.stringify(report), /there are more than 100 in its channel/)
})
