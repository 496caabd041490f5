import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { expireMessages } from '../../src/core/messages/retention/expire.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'

const DAY = 86_400_000

const contents = async ({ api }: Person, narrow: unknown[] = []): Promise<string[]> => {
  const window = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false }
  const { messages } = await api.get('/messages', { ...window, narrow })
  return messages.map((message: { content: string }) => message.content)
}

/** Of what was said, without the server's own messages. */
const said = async (who: Person) => (await contents(who)).filter((text) => /^(old|new|kept|short|direct)/.test(text))

async function scene(): Promise<World> {
  const w = await world({ streams: { kept: {}, short: {} } })
  const { iago, hamlet } = w.people
  await iago.api.patch('/realm', { message_retention_days: 5 })
  await iago.api.patch(`/streams/${await w.streamId('kept')}`, { message_retention_days: 'unlimited' })
  await iago.api.patch(`/streams/${await w.streamId('short')}`, { message_retention_days: 2 })
  await iago.says('kept for ever', { stream: 'kept', topic: 'x' })
  await iago.says('short lived', { stream: 'short', topic: 'x' })
  const { id } = await iago.says('old @**hamlet** news', { topic: 'x' })
  await hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await iago.says('direct and old', { people: [hamlet] })
  return w
}

test("deletes messages past the stream's or organization's retention and sends events", async () => {
  await using w = await scene()
  const { iago, hamlet } = w.people
  w.clock.advance(3 * DAY)
  await expireMessages(w.chat)
  assert.deepEqual(await said(iago), ['kept for ever', 'old @**hamlet** news', 'direct and old'])
  w.clock.advance(3 * DAY)
  await iago.says('new', { topic: 'x' })
  await verifyEvents([iago, hamlet], () => expireMessages(w.chat))
  assert.deepEqual(await said(iago), ['kept for ever', 'new'])
  assert.equal(await expireMessages(w.chat), 0)
})

test('runs automatically every day', async () => {
  await using w = await scene()
  for (let hour = 0; hour < 8 * 24; hour++) {
    w.clock.advance(3_600_000)
    await new Promise(setImmediate)
  }
  await expireMessages(w.chat)
  assert.deepEqual(await said(w.people.iago), ['kept for ever'])
})

test('can restore deleted messages and their data for 30 days', async () => {
  await using w = await scene()
  const { iago, hamlet } = w.people
  const undelete = (stream?: string) => runCommand(w.chat, 'undelete', stream === undefined ? {} : { stream }, () => {})
  w.clock.advance(6 * DAY)
  await expireMessages(w.chat)
  await iago.api.patch('/realm', { message_retention_days: 'unlimited' })
  await iago.api.patch(`/streams/${await w.streamId('short')}`, { message_retention_days: 'unlimited' })
  const { queue_id } = await hamlet.api.post('/register')
  // With the notice of how long it keeps messages.
  assert.deepEqual(await undelete('short'), { restored: 2 })
  assert.equal((await hamlet.api.get('/events', { queue_id, dont_block: true })).code, 'BAD_EVENT_QUEUE_ID')
  await undelete()
  assert.deepEqual(await said(iago), ['kept for ever', 'short lived', 'old @**hamlet** news', 'direct and old'])
  const window = { anchor: 'newest', num_before: 10, num_after: 0 }
  const { messages } = await hamlet.api.get('/messages', { ...window, narrow: [['search', 'news']] })
  assert.equal(messages.length, 1)
  assert.equal(messages[0].reactions.length, 1)
  assert.ok(messages[0].flags.includes('starred') && messages[0].flags.includes('mentioned'))
  assert.deepEqual(await undelete(), { restored: 0 })
})

test('deletes permanently after 30 days', async () => {
  await using w = await scene()
  w.clock.advance(6 * DAY)
  await expireMessages(w.chat)
  w.clock.advance(30 * DAY)
  await expireMessages(w.chat)
  const rows = await storeOf(w.chat).db.selectFrom('archived_message').select('archived_at').execute()
  assert.ok(rows.every((row) => row.archived_at > w.clock.now() / 1000 - 30 * 86_400))
  assert.deepEqual((await said(w.people.iago)).includes('old @**hamlet** news'), false)
})

test('deletes many messages in several writes', async () => {
  await using w = await world()
  const { iago } = w.people
  await iago.api.patch('/realm', { message_retention_days: 1 })
  for (let i = 0; i < 250; i++) await iago.says(`old ${i}`)
  await w.events()
  w.clock.advance(2 * DAY)
  // The clock has started a run of its own: both share the work.
  while ((await expireMessages(w.chat)) > 0);
  const lists = (await w.events()).flatMap((event) => (event.type === 'delete_message' ? [event.message_ids] : []))
  assert.ok(lists.flat().length >= 250 && lists.length >= 2 && lists[0]!.length <= 50)
})
