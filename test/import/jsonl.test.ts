import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { actAs, sendMessage } from '../../src/index.ts'
import { world } from '../../src/testing/index.ts'
import { ArchiveFolder, contentsOf, importInto, jsonLines } from './archives.ts'
import { DAY, everything } from './everything.ts'

const scene = async () => {
  const w = await world()
  const now = Math.floor(w.clock.now() / 1000)
  const archive = new ArchiveFolder(everything(now))
  const { import_id, report } = await importInto(w.chat, archive)
  const people = await w.iago.api.get('/users')
  const idOf = (name: string): number =>
    people.members.find((user: { full_name: string }) => user.full_name === name).user_id
  return {
    w,
    now,
    archive,
    report,
    import_id: import_id!,
    members: people.members,
    idOf,
    async [Symbol.asyncDispose]() {
      archive[Symbol.dispose]()
      await w[Symbol.asyncDispose]()
    },
  }
}

const everywhere = (narrow: object[]) => ({
  anchor: 'oldest',
  num_before: 0,
  num_after: 100,
  narrow,
  apply_markdown: false,
})

test('imports every kind of record with dates, order and people', async () => {
  await using s = await scene()
  const { w, now } = s
  const ann = s.members.find((user: { delivery_email: string }) => user.delivery_email === 'ann@example.com')
  assert.deepEqual([ann.full_name, ann.role, ann.timezone], ['Ann the Cook', 200, 'Europe/Vienna'])
  assert.equal(ann.date_joined.slice(0, 10), new Date((now - 300 * DAY) * 1000).toISOString().slice(0, 10))
  const gone = s.members.find((user: { full_name: string }) => user.full_name === 'Gone Person')
  assert.deepEqual([gone.is_active, gone.delivery_email], [false, 'jsonl-u3@imported.invalid'])
  assert.equal(s.members.filter((user: { full_name: string }) => user.full_name === 'Bob').length, 0)

  const { messages } = await w.hamlet.api.get('/messages', everywhere([{ operator: 'channel', operand: 'kitchen' }]))
  assert.deepEqual(
    messages.map((message: { timestamp: number }) => message.timestamp),
    [now - 100 * DAY, now - 99 * DAY],
  )
  const [first, second] = messages
  assert.match(first.content, /^a pan: \[pan\.png\]\(\/user_uploads\/1\/.*\/pan\.png\) SOUP-12 :party_pan:$/)
  assert.deepEqual(
    first.reactions.map((reaction: { emoji_name: string; user_id: number }) => [reaction.emoji_name, reaction.user_id]),
    [
      ['party_pan', w.hamlet.id],
      ['tada', s.idOf('Gone Person')],
    ],
  )
  assert.deepEqual([first.last_edit_timestamp, first.flags.toSorted()], [now - 98 * DAY, ['read', 'starred']])
  const kitchen = await w.streamId('kitchen')
  assert.deepEqual((await w.hamlet.api.get(`/streams/${kitchen}/pinned_messages`)).pinned_messages, [
    { message_id: first.id, topic: 'recipes', user_id: ann.user_id, pinned_at: now - 90 * DAY },
  ])
  assert.equal(second.sender_id, w.hamlet.id)
  assert.equal(
    second.content,
    `about #**kitchen>recipes@${first.id}**, @_**Ann the Cook|${ann.user_id}** @_*cooks* in #**kitchen**`,
  )
  const file = await w.hamlet.api.get('/messages', { ...everywhere([]), apply_markdown: true })
  assert.ok(file.messages.some((message: { content: string }) => message.content.includes('class="emoji"')))
})

test('keeps read state, direct messages and protected history', async () => {
  await using s = await scene()
  const { w } = s
  const { messages: direct } = await w.hamlet.api.get('/messages', everywhere([{ operator: 'is', operand: 'dm' }]))
  const psst = direct.find((message: { content: string }) => message.content === 'psst')
  assert.deepEqual(psst.flags, [])
  const { messages: jam } = await w.hamlet.api.get(
    '/messages',
    everywhere([{ operator: 'channel', operand: 'pantry' }]),
  )
  assert.deepEqual(
    jam.map((message: { content: string; flags: string[] }) => [message.content, message.flags]),
    [['second', ['read']]],
  )
  const { messages: seen } = await w.cordelia.api.get('/messages', everywhere([]))
  assert.ok(!seen.some(({ content }: { content: string }) => ['first', 'second', 'psst'].includes(content)))
})

test('a dry run reports the same changes and omissions as the import', async () => {
  await using w = await world()
  const now = Math.floor(w.clock.now() / 1000)
  using archive = new ArchiveFolder(everything(now))
  const before = await contentsOf(w.chat)
  const dry = await importInto(w.chat, archive, { dryRun: true })
  assert.deepEqual(await contentsOf(w.chat), before)
  const real = await importInto(w.chat, archive)
  assert.deepEqual(dry.report, real.report)
  const { imports } = await runCommand(w.chat, 'listImports', {}, () => {})
  assert.deepEqual([imports.length, imports[0]!.messages, imports[0]!.source], [1, 6, 'jsonl'])
  const shown = await runCommand(w.chat, 'showImport', { id: real.import_id! }, () => {})
  assert.deepEqual(shown.report, real.report)
  const { found, imported, left_out, changed, people } = real.report
  assert.deepEqual([found.message, imported.message, found.reaction, imported.reaction], [8, 6, 4, 2])
  assert.deepEqual(left_out.map(({ kind, reason, count }) => [kind, reason, count]).toSorted(), [
    ['canvas', "it isn't supported", 1],
    ['message', 'its ID is a duplicate', 1],
    ['message', "its channel isn't in the source", 1],
    ['pin', 'pinned direct messages are not supported', 1],
    ['reaction', 'it is a duplicate', 1],
    ['reaction', 'its emoji is unknown', 1],
    ['reminder', "its message isn't imported", 1],
    ['scheduled message', 'its person has no active account', 1],
    ['scheduled message', 'its time has passed', 1],
  ])
  assert.deepEqual([found['scheduled message'], imported['scheduled message'], imported.reminder], [4, 2, 1])
  assert.deepEqual(people, { matched: 1, created: 2, stubs: 2, skipped: 0 })
  assert.equal(changed[0]!.kind, 'user')
  await assert.rejects(importInto(w.chat, archive), /was already imported as import 1/)
})

test('says that accounts matched by address keep their status, mutes and other settings', async () => {
  await using w = await world()
  await w.hamlet.api.post('/users/me/status', { status_text: 'at home' })
  using archive = new ArchiveFolder({
    'import.jsonl': jsonLines(
      {
        type: 'user',
        id: 'u1',
        name: 'Hamlet',
        email: 'hamlet@example.com',
        status: { text: 'away' },
        alert_words: ['soup', 'bread'],
        muted_users: ['u2'],
        timezone: 'Europe/Vienna',
      },
      { type: 'user', id: 'u2', name: 'Ann', email: 'ann@example.com', status: { text: 'x'.repeat(61) } },
      { type: 'user', id: 'u3', name: 'Nobody', status: { text: 'gone' } },
    ),
  })
  const dry = await importInto(w.chat, archive, { dryRun: true })
  const { report } = await importInto(w.chat, archive)
  assert.deepEqual(dry.report, report)
  assert.deepEqual(
    report.left_out.map(({ kind, reason, count, places }) => [kind, reason, count, places.length]),
    [
      ['status', 'the account that matches by address keeps its own', 1, 1],
      ['alert word', 'the account that matches by address keeps its own', 2, 1],
      ['muted user', 'the account that matches by address keeps its own', 1, 1],
      ['time zone', 'the account that matches by address keeps its own', 1, 1],
      ['status', 'stubs have none', 1, 1],
    ],
  )
  assert.deepEqual([report.found.status, report.imported.status], [3, 1])
  assert.deepEqual(
    report.changed.map(({ kind, reason }) => [kind, reason]),
    [['status', 'it is longer than 60 characters']],
  )
  const { user_status } = (await contentsOf(w.chat)) as { user_status: { user_id: number; status_text: string }[] }
  assert.equal(user_status.find((row) => row.user_id === w.hamlet.id)?.status_text, 'at home')
})

test('undoing an import restores the database', async () => {
  await using w = await world()
  const now = Math.floor(w.clock.now() / 1000)
  await w.hamlet.says('before', { stream: 'general', topic: 'x' })
  using archive = new ArchiveFolder(everything(now))
  const before = await contentsOf(w.chat)
  await assert.rejects(importInto(w.chat, archive), /Use --into/)
  const { import_id } = await importInto(w.chat, archive, { into: true })
  assert.notDeepEqual(await contentsOf(w.chat), before)
  await runCommand(w.chat, 'undoImport', { id: import_id! }, () => {})
  assert.deepEqual(await contentsOf(w.chat), before)
  const again = await importInto(w.chat, archive, { into: true })
  const { id } = await w.hamlet.says('after', { stream: 'kitchen', topic: 'x' })
  await w.hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'party_pan' })
  await w.hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await assert.rejects(
    runCommand(w.chat, 'undoImport', { id: again.import_id! }, () => {}),
    /can't be undone: 1 newer message was sent in an imported conversation, 1 reaction uses an imported emoji/,
  )
})

test('counts newer messages of imported people and conversations once each', async () => {
  await using w = await world()
  using archive = new ArchiveFolder({
    'import.jsonl': jsonLines(
      { type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.com' },
      { type: 'channel', id: 'c1', name: 'kitchen' },
      { type: 'message', id: 'm1', user: 'u1', date: 1_700_000_000, channel: 'c1', topic: 'soup', content: 'hot' },
    ),
  })
  const { import_id } = await importInto(w.chat, archive, { into: true })
  const { members } = await w.iago.api.get('/users')
  const ann = members.find(({ email }: { email: string }) => email === 'ann@example.com')
  const caller = await actAs(w.chat, { user_id: ann.user_id })
  await sendMessage(caller, { type: 'stream', to: 'general', topic: 'x', content: 'elsewhere' })
  await sendMessage(caller, { type: 'stream', to: 'kitchen', topic: 'soup', content: 'cold' })
  await w.hamlet.says('salted', { stream: 'kitchen', topic: 'soup' })
  await assert.rejects(
    runCommand(w.chat, 'undoImport', { id: import_id! }, () => {}),
    /: 3 newer messages were sent/,
  )
})

test('counts the subscribers of imported channels, without deactivated ones', async () => {
  await using s = await scene()
  const { streams } = await s.w.iago.api.get('/streams', { include_all: true })
  assert.ok(streams.some(({ name }: { name: string }) => name === 'kitchen'))
  for (const { stream_id, subscriber_count, name } of streams) {
    const { subscribers } = await s.w.iago.api.get(`/streams/${stream_id}/members`)
    assert.equal(subscriber_count, subscribers.length, name)
  }
})

test('imports the newest pins of a channel, in whatever order they come and with possible dates', async () => {
  await using w = await world()
  const pinned = Array.from({ length: 103 }, (_, i) => i)
  const message = (i: number, date?: number) => ({
    ...{ type: 'message', id: `m${i}`, user: 'u1', date: 1_700_000_000 + i, channel: 'c1', topic: 'soup' },
    ...{ content: `${i}`, pinned: { user: 'u1', ...(date !== undefined && { date }) } },
  })
  using archive = new ArchiveFolder({
    'import.jsonl': jsonLines(
      { type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.com' },
      { type: 'channel', id: 'c1', name: 'kitchen' },
      // The oldest messages have the newest pins, except for two with impossible dates.
      ...pinned.map((i) => message(i, i === 0 ? 1e11 : i === 1 ? -5 : 1_700_001_000 - i)),
    ),
  })
  const dry = await importInto(w.chat, archive, { into: true, dryRun: true })
  const { report } = await importInto(w.chat, archive, { into: true })
  assert.deepEqual(dry.report, report)
  assert.equal(report.imported.pin, 100)
  const { pinned_messages } = await w.hamlet.api.get(`/streams/${await w.streamId('kitchen')}/pinned_messages`)
  const dates = pinned_messages.map(({ pinned_at }: { pinned_at: number }) => pinned_at)
  assert.deepEqual(
    dates,
    pinned.slice(2, 102).map((i) => 1_700_001_000 - i),
  )
})

test('rejects dates that no client could show', async () => {
  await using w = await world()
  for (const joined of [1e14, -1e14, 1e300]) {
    using archive = new ArchiveFolder({
      'import.jsonl': jsonLines({ type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.com', joined }),
    })
    await assert.rejects(
      importInto(w.chat, archive, { into: true }),
      /"joined" is not valid: it is outside the years 1 to 9999/,
    )
  }
  assert.equal((await w.hamlet.api.get('/users')).status, 200)
})
