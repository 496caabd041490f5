import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { type World, world } from '../../src/testing/index.ts'
import { ArchiveFolder, contentsOf, importInto, jsonLines } from './archives.ts'
import { DAY, everything } from './everything.ts'
import { lines, rocketJson } from './exports.ts'
import { LATER, richExports } from './rich-exports.ts'

const userId = async (w: World, email: string): Promise<number> =>
  (await storeOf(w.chat).db.selectFrom('user').select('id').where('email_key', '=', email).executeTakeFirstOrThrow()).id

test('imports scheduled messages, reminders, drafts and snippets of Zulip, and reports the others', async () => {
  await using w = await world()
  using archive = new ArchiveFolder(richExports().zulip!)
  const dry = await importInto(w.chat, archive, { dryRun: true })
  const { report } = await importInto(w.chat, archive)
  assert.deepEqual(dry.report, report)
  const [ann, bob] = [await userId(w, 'ann@example.com'), await userId(w, 'bob@example.com')]
  const { db } = storeOf(w.chat)
  const first = await db
    .selectFrom('message')
    .select('id')
    .where('content', 'like', 'Hello @**Bob%')
    .executeTakeFirstOrThrow()
  const scheduled = await db.selectFrom('scheduled_message').selectAll().orderBy('id').execute()
  assert.deepEqual(
    scheduled.map(({ sender_id, topic, content, deliver_at, failed }) => [
      sender_id,
      topic,
      content,
      deliver_at,
      failed,
    ]),
    [
      [ann, 'recipes', 'later', LATER, 0],
      [ann, null, `see @**Bob|${bob}**`, LATER, 0],
      [ann, null, 'to both', LATER, 0],
    ],
  )
  assert.match(scheduled[1]!.rendered_content, /class="user-mention silent"/)
  const reminders = await db.selectFrom('reminder').selectAll().execute()
  assert.deepEqual(
    reminders.map(({ user_id, message_id, note, deliver_at }) => [user_id, message_id, note, deliver_at]),
    [[ann, first.id, 'taste it', LATER]],
  )
  assert.match(reminders[0]!.content, /requested a reminder[\s\S]*Hello @_?\*\*Bob/)
  const drafts = await db.selectFrom('draft').selectAll().orderBy('id').execute()
  assert.deepEqual(
    drafts.map(({ user_id, type, topic, content }) => [user_id, type, topic, content]),
    [
      [ann, 'stream', 'recipes', 'not yet'],
      [ann, 'private', '', `to @**Bob|${bob}**`],
      [ann, '', '', ''],
    ],
  )
  assert.deepEqual(JSON.parse(drafts[1]!.recipients), [bob])
  const of = (kind: string) =>
    report.left_out.filter((one) => one.kind === kind).map(({ reason, count }) => [reason, count])
  assert.deepEqual(of('scheduled message'), [
    ['it was sent', 1],
    ['its time has passed', 1],
    ['its person has no active account', 1],
    ['it has no recipient', 1],
    ['it has no sender or no time', 1],
  ])
  assert.deepEqual(of('reminder'), [
    ['its message was deleted', 1],
    ["its message isn't imported", 1],
  ])
  for (const kind of ['scheduled message', 'reminder']) {
    const left = report.left_out.filter((one) => one.kind === kind).reduce((sum, { count }) => sum + count, 0)
    assert.equal(report.found[kind], report.imported[kind]! + left)
  }
})

test('sends an imported message and reminder when they are due', async () => {
  await using w = await world()
  const now = Math.floor(w.clock.now() / 1000)
  using archive = new ArchiveFolder(everything(now))
  await importInto(w.chat, archive)
  w.clock.advance(2 * DAY * 1000)
  await schedulerOf(w.chat).settled()
  const { db } = storeOf(w.chat)
  assert.deepEqual(await db.selectFrom('scheduled_message').selectAll().execute(), [])
  assert.deepEqual(await db.selectFrom('reminder').selectAll().execute(), [])
  const ann = await userId(w, 'ann@example.com')
  const sent = await db.selectFrom('message').selectAll().where('sent_at', '>', now).orderBy('id').execute()
  const [pot, soup] = ['a pot%', 'soup?'].map((text) =>
    sent.find(({ content }) => (text.endsWith('%') ? content.startsWith(text.slice(0, -1)) : content === text)),
  )
  const pan = await db.selectFrom('message').select('id').where('content', 'like', 'a pan%').executeTakeFirstOrThrow()
  assert.match(
    pot!.content,
    new RegExp(`^a pot: \\[pan\\.png\\]\\(/user_uploads/.*\\) after #\\*\\*kitchen>recipes@${pan.id}\\*\\*$`),
  )
  assert.deepEqual([pot!.sender_id, soup!.sender_id], [ann, w.hamlet.id])
  assert.ok(sent.some(({ content }) => content.includes('requested a reminder') && content.includes('taste it')))
})

test('an import can be undone while nothing was scheduled in it since', async () => {
  await using w = await world()
  const now = Math.floor(w.clock.now() / 1000)
  const before = await contentsOf(w.chat)
  using archive = new ArchiveFolder(everything(now))
  const { import_id } = await importInto(w.chat, archive)
  const undo = () => runCommand(w.chat, 'undoImport', { id: import_id! }, () => {})
  const kitchen = await w.streamId('kitchen')
  const later = { content: 'x', scheduled_delivery_timestamp: now + DAY }
  const { scheduled_message_id } = await w.hamlet.api.post('/scheduled_messages', {
    ...{ type: 'stream', to: kitchen, topic: 'x', ...later },
  })
  await assert.rejects(undo(), /1 scheduled message goes to an imported conversation/)
  await w.hamlet.api.delete(`/scheduled_messages/${scheduled_message_id}`)
  await undo()
  assert.deepEqual(await contentsOf(w.chat), before)
})

test('writes many drafts before the messages, and their links to written objects', async () => {
  await using w = await world()
  const text = 'x'.repeat(90_000)
  using archive = new ArchiveFolder({
    'import.jsonl': jsonLines(
      { type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.com' },
      { type: 'channel', id: 'c1', name: 'kitchen' },
      ...Array.from({ length: 30 }, (_, i) => ({
        type: 'draft',
        user: 'u1',
        channel: 'c1',
        topic: `t${i}`,
        content: `\u0002silent:u1\u0003 ${i} ${text}`,
      })),
      { type: 'message', id: 'm1', user: 'u1', date: 1_700_000_000, channel: 'c1', topic: 'a', content: 'b' },
    ),
  })
  const { report } = await importInto(w.chat, archive)
  assert.equal(report.imported.draft, 30)
  const id = await userId(w, 'ann@example.com')
  const drafts = await storeOf(w.chat).db.selectFrom('draft').select('content').orderBy('id').execute()
  assert.deepEqual(
    drafts.map(({ content }) => content.slice(0, 30).replace(/ x*$/, '')),
    drafts.map((_, i) => `@_**Ann|${id}** ${i}`),
  )
})

test('imports who can send in channels of Zulip and Rocket.Chat', async () => {
  await using w = await world()
  using zulip = new ArchiveFolder(richExports().zulip!)
  const { report } = await importInto(w.chat, zulip)
  const files: Record<string, string | Uint8Array> = rocketJson()
  using rocketchat = new ArchiveFolder({
    ...files,
    'rocketchat_room.json': files['rocketchat_room.json'] + lines({ _id: 'r9', t: 'c', name: 'notices', ro: true }),
  })
  await importInto(w.chat, rocketchat, { into: true })
  const { db } = storeOf(w.chat)
  const groups = new Map((await db.selectFrom('user_group').selectAll().execute()).map(({ id, name }) => [id, name]))
  const streams = await db.selectFrom('stream').select(['name', 'settings']).execute()
  const senders = Object.fromEntries(
    streams.map(({ name, settings }) => [name, groups.get(JSON.parse(settings).can_send_message_group)]),
  )
  assert.deepEqual(
    ['pantry', 'attic', 'news', 'notices', 'general'].map((name) => senders[name]),
    ['role:owners', 'role:administrators', 'role:moderators', 'role:moderators', undefined],
  )
  assert.ok(report.changed.some(({ kind, reason }) => kind === 'channel' && reason.startsWith('only administrators')))
})
